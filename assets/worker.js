// Starts the simulator in its worker. The page sends its own script and compiled module: what is loaded
// and compiled once serves both. A promise that fails here would be seen by nobody, so it is told.
onmessage = async ({ data: { script, module } }) => {
  onmessage = null;
  try {
    const { default: start } = await import(script);
    await start({ module_or_path: module });
  } catch (error) {
    postMessage({ type: 'crashed', reason: String(error) });
  }
};
