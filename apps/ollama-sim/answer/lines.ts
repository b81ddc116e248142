/** One thing said at the table. */
export interface Line {
  readonly who: string;
  readonly says: string;
}

/** A prompt split into the players' lines and all other rows. */
interface ParsedLines {
  readonly lines: readonly Line[];
  readonly statements: readonly string[];
}

const MAX_LINES = 300;
/** A room before the speaker: `[Village] Ann: hello`. */
const ROOM = /^\s*\[[^\]]{1,40}\]\s+(?=\p{L}[^:]{0,40}:\s)/u;
const SPEAKER =
  /^[\s>*#«"'“<[(|\d.)\]–-]{0,12}(?:(?:day|night|round)[ -]?\d+[^\p{L}]{1,6})?(\p{L}[\p{L}\p{N}_.'’:[-]{0,30}\]?(?: [\p{L}\p{N}][\p{L}\p{N}_.'’-]{0,20}){0,4}?)["”»]?(?: ?\([^)]{0,40}\))?:\s+(\S.*)$/u;
const TAGGED = /<\w+[^>]{0,80}\b(?:by|name|from|who|speaker|player|seat)=["']([^"'<>]{1,40})["'][^>]{0,80}>([^<]{1,2000})/g;
const NOT_A_SPEAKER =
  /^(rules?|roles?|your|note|notes|day|night|phase|round|turn|name|names|players?|alive|dead|living|question|task|legal|options?|targets?|choices?|answer|reply|format|moderator|narrator|host|system|summary|hint|tips?|example|remember|goal|task|schema|memory|context|votes?|voting|time|events?|history|conversation|new|unread|messages?|you may|valid|allowed|current|this|the|here|it|and|if|when|please|assistant|user|json)\b/i;
const VERB = / (?:says?|said|asks?|asked|whispers?|whispered|speaks?|spoke|answers?|replies|replied|tells?|told)(?: .*)?$/;

/** Parses the conversation in a prompt: `Ann: I think Bob is lying`, with or without markup. Names in `known` are always speakers. */
export const linesIn = (text: string, known: ReadonlySet<string>, me: string | undefined): ParsedLines => {
  const lines: Line[] = [];
  const told: string[] = [];
  for (const raw of text.split('\n')) {
    const row = raw.slice(0, 2000).replace(ROOM, '');
    const tagged = [...row.matchAll(TAGGED)];
    for (const [, who = '', says = ''] of tagged) lines.push({ who: who.trim(), says: says.trim() });
    const spoken = tagged.length > 0 ? null : SPEAKER.exec(row);
    const [, speaker = '', says = ''] = spoken ?? [];
    const who = stripName(speaker.replace(VERB, ''));
    if (/^(you|i|me)$/i.test(who) && me !== undefined) lines.push({ who: me, says: unquoted(says) });
    else if (known.has(who) || (/^\p{Lu}/u.test(who) && who.split(' ').length <= 2 && !NOT_A_SPEAKER.test(who)))
      lines.push({ who, says: unquoted(says) });
    else if (tagged.length === 0) told.push(row);
  }
  return { lines: lines.slice(-MAX_LINES), statements: told.slice(-MAX_LINES) };
};

const unquoted = (says: string): string => /^[«“"](.*)[»”"]$/u.exec(says.trim())?.[1] ?? says;

export const stripName = (name: string): string =>
  name
    .trim()
    .replace(/^["'“”«»*_([]+|["'“”«»*_,.;:)]+$/gu, '')
    .trim();

const boundaries = new Map<string, RegExp>();
const MAX_BOUNDARIES = 2000;

/** Matches a name as a whole word. */
export const wordPattern = (name: string): RegExp => {
  const known = boundaries.get(name);
  if (known !== undefined) return known;
  if (boundaries.size > MAX_BOUNDARIES) boundaries.clear();
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_])`, 'u');
  boundaries.set(name, pattern);
  return pattern;
};
