/** A part of an answer: what is said, and what was only thought. */
export interface Told {
  readonly content: string;
  readonly thinking: string;
}

/** Parts the thoughts that stand at the beginning of a text from what is said. */
export interface Thoughts {
  /** The next piece of the text: what of it, and of what was held back before, is known to be one or the other. */
  of(piece: string): Told;
  /** What is still held back at the end of the text. */
  rest(): Told;
}

const BEGIN = '<think>';
const END = '</think>';
/** More white space than so, in characters, stands in front of no thoughts. */
const MOST_SPACE = 1_000;
const NOTHING: Told = { content: '', thinking: '' };
const said = (content: string): Told => ({ content, thinking: '' });

/**
 * Servers that do not part the thoughts of a model from its answer send `<think>…</think>` in front of it. Wherever the text is cut into pieces,
 * the outcome is the same: what may be a part of a mark is held back until it is known. White space in front of the thoughts, and between them
 * and the answer, belongs to neither; a text that begins otherwise is left as it is, to the letter. Thoughts without an end are thoughts.
 */
export function thoughts(): Thoughts {
  let held = '';
  let at: 'begin' | 'thought' | 'gap' | 'answer' = 'begin';

  function begin(): Told {
    const text = held.trimStart();
    if (held.length - text.length > MOST_SPACE) return answer();
    if (text.startsWith(BEGIN)) {
      at = 'thought';
      held = text.slice(BEGIN.length);
      return thought();
    }
    return BEGIN.startsWith(text) ? NOTHING : answer();
  }

  function thought(): Told {
    const end = held.indexOf(END);
    if (end >= 0) {
      const thinking = held.slice(0, end);
      at = 'gap';
      held = held.slice(end + END.length);
      return { thinking, content: gap().content };
    }
    const sure = held.length - partOfEnd(held);
    const thinking = held.slice(0, sure);
    held = held.slice(sure);
    return { thinking, content: '' };
  }

  function gap(): Told {
    held = held.trimStart();
    return held === '' ? NOTHING : answer();
  }

  function answer(): Told {
    at = 'answer';
    const content = held;
    held = '';
    return said(content);
  }

  const states = { begin, thought, gap, answer };
  return {
    of(piece) {
      held += piece;
      return states[at]();
    },
    rest() {
      const text = held;
      held = '';
      return at === 'thought' ? { content: '', thinking: text } : said(at === 'gap' ? '' : text);
    },
  };
}

/** How many characters at the end of a text may be the first ones of the mark that ends thoughts. */
function partOfEnd(text: string): number {
  for (let length = Math.min(END.length - 1, text.length); length > 0; length--) if (END.startsWith(text.slice(-length))) return length;
  return 0;
}
