/** An error response: a status and Ollama's own text. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
  }
}

/** The client has left. */
export class RequestCanceled extends Error {
  constructor(message = 'request canceled') {
    super(message);
    this.name = 'RequestCanceled';
  }
}

/** An error of llama-server, which Ollama passes on as a string in `error`. */
export const llamaServerError = (code: number, message: string, type: string, more: Readonly<Record<string, number>> = {}): HttpError =>
  new HttpError(code, JSON.stringify({ error: { code, message, type, ...more } }));

export const ollamaErrors = {
  crashed: () =>
    new HttpError(
      500,
      'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
    ),
  outOfMemory: () => new HttpError(500, 'an error was encountered while running the model: CUDA error: out of memory: cudaMalloc failed'),
  broken: () => new HttpError(500, 'an error was encountered while running the model: unexpected EOF'),
  loadFailed: () => new HttpError(500, 'llama-server process has terminated: exit status 2'),
  badInput: () => new HttpError(500, 'option "num_ctx" must be of type integer'),
  noModel: (name: string) => new HttpError(404, `model '${name}' not found`),
  noModelTryPull: (name: string) => new HttpError(404, `model ${JSON.stringify(name)} not found, try pulling it first`),
} as const;
