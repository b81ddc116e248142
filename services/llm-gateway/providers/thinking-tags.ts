export interface SplitText {
  readonly content: string;
  readonly thinking: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';
/** Longer white space, in characters, is not followed by thinking. */
const MAX_SPACE = 1_000;
const NOTHING: SplitText = { content: '', thinking: '' };
const contentOf = (content: string): SplitText => ({ content, thinking: '' });

/**
 * Splits `<think>…</think>` at the beginning of a text from the rest, for servers that do not do it. The result is the same wherever the text is cut into pieces: what may be
 * part of a tag is held back. White space before the thinking, and between it and the answer, is dropped; a text that begins otherwise is left as
 * it is. Thinking without an end is thinking.
 */
export function thinkingSplitter() {
  let held = '';
  let state: keyof typeof states = 'start';

  function start(): SplitText {
    const text = held.trimStart();
    if (held.length - text.length > MAX_SPACE) return answer();
    if (text.startsWith(OPEN)) {
      state = 'thinking';
      held = text.slice(OPEN.length);
      return thinking();
    }
    return OPEN.startsWith(text) ? NOTHING : answer();
  }

  function thinking(): SplitText {
    const end = held.indexOf(CLOSE);
    if (end >= 0) {
      const text = held.slice(0, end);
      state = 'gap';
      held = held.slice(end + CLOSE.length);
      return { thinking: text, content: gap().content };
    }
    const certain = held.length - partialCloseLength(held);
    const text = held.slice(0, certain);
    held = held.slice(certain);
    return { thinking: text, content: '' };
  }

  function gap(): SplitText {
    held = held.trimStart();
    return held === '' ? NOTHING : answer();
  }

  function answer(): SplitText {
    state = 'answer';
    const content = held;
    held = '';
    return contentOf(content);
  }

  const states = { start, thinking, gap, answer };
  return {
    /** The parts of this piece, and of what was held back, that are certain. */
    push(piece: string): SplitText {
      held += piece;
      return states[state]();
    },
    /** What is still held back at the end of the text. */
    flush(): SplitText {
      const text = held;
      held = '';
      return state === 'thinking' ? { content: '', thinking: text } : contentOf(state === 'gap' ? '' : text);
    },
  };
}

/** How many characters at the end of a text may be the beginning of the closing tag. */
function partialCloseLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
