// Keeps the playground in the browser for the next visit, when there may be no network.

/** Begin to keep every file that the page uses. Resolves to true when all of them are kept. */
export async function keepFiles(): Promise<boolean> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined; // none without https
    if (workers === undefined) return false;
    await workers.register(new URL('sw.js', document.baseURI));
    const { active } = await workers.ready;
    if (active === null) return false;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<boolean>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<string>) => resolve(data === 'kept');
    });
    active.postMessage(used(), [port2]);
    return await answer;
  } catch {
    return false; // the browser keeps nothing for this page
  }
}

/** The files of this site that the page has loaded. */
function used(): string[] {
  const names = performance.getEntriesByType('resource').map(({ name }) => name.replace(/#.*$/, ''));
  return [...new Set(names)].filter((name) => name.startsWith(`${location.origin}/`) && !name.endsWith('/sw.js'));
}
