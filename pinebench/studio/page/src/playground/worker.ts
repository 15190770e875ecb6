// Python in a worker: loads a copy of the memory of a Python that knows pinebench, and passes requests to it.
interface Module {
  _malloc(size: number): number;
  _free(pointer: number): void;
}

interface Python {
  globals: { get(name: string): (request: string) => string };
}

interface Loader {
  loadPyodide: (options: object) => Promise<Python>;
}

const base = new URL('.', self.location.href).href;
const scope = self as unknown as {
  postMessage(message: object): void;
  onmessage: ((event: MessageEvent<{ id: number; request: string }>) => void) | null;
};

const load = (path: string): Promise<unknown> => import(`${base}${path}`);

async function unpacked(): Promise<Uint8Array> {
  const { body, ok, status } = await fetch(`${base}snapshot.bin`);
  if (!ok || body === null) throw new Error(`snapshot.bin: ${status}`);
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

async function start(): Promise<(request: string) => string> {
  const snapshot = unpacked();
  const [{ loadPyodide }, { default: create }] = (await Promise.all([load('pyodide/pyodide.mjs'), load('pyodide/pyodide.asm.mjs')])) as [
    Loader,
    { default: (settings: object) => Promise<Module> },
  ];
  const python = await loadPyodide({
    indexURL: `${base}pyodide/`,
    _loadSnapshot: snapshot,
    // The memory of a fresh module is smaller than the copy; it grows when so much is asked for.
    createPyodideModule: async (settings: object) => {
      const made = await create(settings);
      made._free(made._malloc((await snapshot).length));
      return made;
    },
  });
  return python.globals.get('answer');
}

const ready = start();
ready.then(
  () => scope.postMessage({ ready: true }),
  (error: unknown) => scope.postMessage({ failed: String(error) }),
);

scope.onmessage = ({ data: { id, request } }) => {
  void ready
    .then((answer) => scope.postMessage({ id, answer: answer(request) }))
    .catch((error: unknown) => scope.postMessage({ id, failed: String(error) }));
};
