// Keeps the page for use without a network, and says when a newer one has come.
if ('serviceWorker' in navigator) {
  let wanted = false;
  const tell = (worker) => {
    if (document.querySelector('.update')) return;
    const notice = document.createElement('div');
    notice.className = 'notice update';
    notice.setAttribute('role', 'status');
    const text = document.createElement('p');
    text.textContent = 'A newer version of this page is there. The address keeps your settings.';
    const button = document.createElement('button');
    button.className = 'outlined';
    button.textContent = 'Use it now';
    button.addEventListener('click', () => {
      wanted = true;
      worker.postMessage('use');
    });
    notice.append(text, button);
    document.body.prepend(notice);
  };
  const keep = async () => {
    const registration = await navigator.serviceWorker.register('./sw.js');
    const look = () => {
      if (registration.waiting && navigator.serviceWorker.controller) tell(registration.waiting);
    };
    look();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', look);
    });
  };
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wanted) location.reload();
  });
  // A page that is not kept works all the same.
  addEventListener('load', () => keep().catch(() => {}));
}
