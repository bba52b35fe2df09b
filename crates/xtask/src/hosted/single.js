// Everything lies in this file: workers start from it, not from a host.
{
  const { Worker } = globalThis;
  const part = (id) => document.getElementById(id).textContent;
  const start = `
    onmessage = async ({ data: { module } }) => {
      onmessage = null;
      try {
        const { memory } = await __wbg_init({ module_or_path: module });
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
    };`;
  const url = URL.createObjectURL(new Blob([part('glue'), start], { type: 'text/javascript' }));
  globalThis.Worker = class extends Worker {
    constructor() {
      super(url);
    }
  };
  globalThis.ownBytes = () => Uint8Array.from(atob(part('wasm')), (c) => c.charCodeAt(0));
  const link = '__LINK__';
  if (link && !location.hash) location.hash = link;
}
