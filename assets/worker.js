// Starts the simulator in its worker. The page sends its own script and compiled module: what is loaded
// and compiled once serves both. A promise that fails here would be seen by nobody, so it is told.
onmessage = async ({ data: { script, module } }) => {
  onmessage = null;
  try {
    const { default: start } = await import(script);
    const { memory } = await start({ module_or_path: module });
    // A trap says nothing of its cause. Where there is no room for a megabyte, it is memory.
    addEventListener('error', (event) => {
      try {
        memory.grow(16);
      } catch {
        event.preventDefault();
        postMessage({ type: 'crashed', reason: 'the browser gives it no more memory' });
      }
    });
  } catch (error) {
    postMessage({ type: 'crashed', reason: String(error) });
  }
};
