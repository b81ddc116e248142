/** The elements in which models think. */
const THOUGHTS = 'think|thinking|thoughts?|reasoning|analysis|scratchpad|reflection';
const THOUGHT_START = new RegExp(String.raw`<(${THOUGHTS})\b[^<>]*>`, 'gi');
const TO_THOUGHT_END = new RegExp(String.raw`^[^]*<\/(?:${THOUGHTS})\s*>`, 'i');
const FROM_THOUGHT_START = new RegExp(String.raw`<(?:${THOUGHTS})\b[^<>]*>[^]*$`, 'i');

const CHANNEL = /<\|channel\|>\s*(\w+)[^]*?<\|message\|>([^]*?)(?=<\|(?:end|return|start|call|channel)\|>|$)/g;
/** The marks of chat templates, with the role behind those that begin a turn. */
const TEMPLATE_MARK =
  /<\|(?:im_start|start_header_id|start)\|>\s*(?:assistant|user|system)?|<start_of_turn>\s*(?:model|user)?|<\|[\w ]{1,30}\|>|<\/?s>|\[\/?INST\]|<(?:end_of_turn|bos|eos|pad)>/g;

/** The most characters of a reply that are read. */
const MAX_READ = 12_000;

/** Whether a reply goes on and on: nothing is read out of it. */
export const isTooLong = (text: string): boolean => text.length > MAX_READ;

/**
 * A model's reply without what it thought and without marks of its template. A thought may lack its beginning or its end; of several channels only
 * the final one is the reply. Empty when there is nothing else.
 */
export function replyText(content: string): string {
  const tagged = content.replace(/\[(\/?)THINK\]|◁(\/?)think▷/g, (_, end = '', end2 = '') => `<${end}${end2}think>`);
  return withoutThoughts(finalChannel(tagged).replace(TEMPLATE_MARK, ''))
    .replace(TO_THOUGHT_END, '')
    .replace(FROM_THOUGHT_START, '')
    .trim();
}

/** Without whole thoughts. Each end is searched for once, so that many beginnings cost no more than one. */
function withoutThoughts(text: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: start, 1: name, index } of text.matchAll(THOUGHT_START)) {
    if (index < from) continue;
    const end = new RegExp(String.raw`<\/${name!}\s*>`, 'gi');
    end.lastIndex = index + start.length;
    if (!end.test(text)) break;
    kept += text.slice(from, index);
    from = end.lastIndex;
  }
  return kept + text.slice(from);
}

function finalChannel(text: string): string {
  if (text.includes('<|channel|>'))
    return [...text.matchAll(CHANNEL)].flatMap(([, name, message]) => (name === 'final' ? [message] : [])).join('\n');
  // the same without its marks
  const lost = /^\s*(?:analysis|commentary)(?=\S)[^]*assistant\s*final/i.exec(text);
  if (lost) return text.slice(lost[0].length);
  return /^\s*(?:analysis|commentary)(?=\p{Lu})/u.test(text) ? '' : text;
}

/** Also below a line that only announces it, other than as an example. */
const FENCE =
  /^(?:(?![^\n]*\b(?:for (?:example|instance)|do not|don['’]?t|never)\b)[^\n]{0,100}:\s*\n\s*)?(?:```|~~~)[^\n]*\n([^]*?)\n?(?:```|~~~)?$/i;

/** A text without the fence around all of it. */
export const withoutFence = (text: string): string => (FENCE.exec(text.trim())?.[1] ?? text).trim();
