/** One server-sent event (WHATWG HTML, server-sent events). */
export interface Frame {
  readonly event: string;
  readonly data: string;
}

/** Reads the frames of a stream of server-sent events; an unfinished one at the end is dropped, as the standard says. */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') {
        if (data.length) yield { event, data: data.join('\n') };
        event = 'message';
        data = [];
      } else {
        const at = line.indexOf(':');
        const field = at < 0 ? line : line.slice(0, at);
        const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
        if (field === 'event') event = value;
        else if (field === 'data') data.push(value);
      }
    }
  }
}
