// Starts the simulator in its worker, and says so when it cannot be loaded: a promise that fails here
// would be seen by nobody.
importScripts('./reclaimscope-worker.js');
wasm_bindgen({ module_or_path: './reclaimscope-worker_bg.wasm' }).catch((error) => {
  postMessage({ type: 'crashed', reason: String(error) });
});
