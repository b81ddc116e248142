import type { CompletionRequest } from '../mind.ts';

type Message = CompletionRequest['messages'][number];

/** One message of a prompt file, or a hole that is filled with whole messages. */
type Section = { readonly role: Message['role']; readonly text: string } | { readonly messages: string };

/** A prompt as its file has it: Markdown with named holes. */
export interface Prompt {
  readonly path: string;
  readonly sections: readonly Section[];
  /** The names of its holes. */
  readonly holes: ReadonlySet<string>;
}

/** What fills a hole; whole messages only where the file says `# messages NAME`. */
export type HoleValue = string | readonly string[] | readonly Message[];

const HEADING = /^# (system|user|assistant|messages|include)(?: (\S+))? *$/;
const HOLE = /\{\{([#^/]?)([\w.-]+)\}\}/g;

/**
 * Reads a prompt file. `# system`, `# user` and `# assistant` begin a message; `# messages NAME` stands for messages that the step makes;
 * `# include PATH` for the messages of another file. `{{name}}` is a hole; `{{#name}}...{{/name}}` is left out when the hole is empty, and so
 * is a line that consists of empty holes; `{{^name}}...{{/name}}` is left out when it is not. `<!-- -->` is a comment.
 * @param read returns the text of an included file
 * @throws Error naming the line
 */
export function parsePrompt(path: string, text: string, read: (path: string) => string, from: readonly string[] = []): Prompt {
  if (from.includes(path)) throw new Error(`${path}: it includes itself, by way of ${from.join(', ')}`);
  const sections: Section[] = [];
  let open: { role: Message['role']; lines: string[] } | undefined;
  const close = (): void => {
    if (open) sections.push({ role: open.role, text: open.lines.join('\n').trim() });
    open = undefined;
  };
  for (const [i, line] of blankComments(text).split('\n').entries()) {
    const [, word, name] = HEADING.exec(line) ?? [];
    const at = `${path}:${i + 1}`;
    if (word === undefined) {
      if (open) open.lines.push(line);
      else if (line.trim()) throw new Error(`${at}: begin a message first, with a line "# system", "# user" or "# assistant"`);
      continue;
    }
    close();
    if (word === 'messages' || word === 'include') {
      if (name === undefined) throw new Error(`${at}: "# ${word}" wants a name behind it`);
      if (word === 'messages') sections.push({ messages: name });
      else sections.push(...parsePrompt(name, read(name), read, [...from, path]).sections);
    } else open = { role: word as Message['role'], lines: [] };
  }
  close();
  if (!sections.length) throw new Error(`${path}: it has no message; begin one with a line "# system" or "# user"`);
  return { path, sections, holes: holesOf(path, sections) };
}

/** Comments become blank lines, so that line numbers stay. */
const blankComments = (text: string): string => text.replace(/<!--[^]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''));

function holesOf(path: string, sections: readonly Section[]): ReadonlySet<string> {
  const holes = new Set<string>();
  for (const section of sections) {
    if ('messages' in section) {
      holes.add(section.messages);
      continue;
    }
    const left = section.text.replace(HOLE, (_, sign: string, name: string) => {
      holes.add(name);
      if ((sign === '#' || sign === '^') && !section.text.includes(`{{/${name}}}`))
        throw new Error(`${path}: {{${sign}${name}}} has no {{/${name}}}`);
      return '';
    });
    const stray = /\{\{.{0,30}/.exec(left)?.[0];
    if (stray !== undefined) throw new Error(`${path}: "${stray}" is not a hole; a hole is {{name}}`);
  }
  return holes;
}

/**
 * Fills the holes of a prompt. Values are not searched for holes. Empty messages are left out.
 * @param valueOf undefined for a hole it does not know
 * @throws Error for an unfilled hole
 */
export function fillPrompt({ path, sections }: Prompt, valueOf: (hole: string) => HoleValue | undefined): readonly Message[] {
  const known = (name: string): HoleValue => {
    const value = valueOf(name);
    if (value === undefined) throw new Error(`${path}: nothing fills {{${name}}}`);
    return value;
  };
  return sections.flatMap((section): readonly Message[] => {
    if ('messages' in section) {
      const value = known(section.messages);
      return typeof value === 'string'
        ? textMessage(value)
        : value.flatMap((each) => (typeof each === 'string' ? textMessage(each) : each.content.trim() ? [each] : []));
    }
    const content = fillText(section.text, (name) => asText(known(name)));
    return content ? [{ role: section.role, content }] : [];
  });
}

const textMessage = (content: string): readonly Message[] => (content.trim() ? [{ role: 'user', content }] : []);

const asText = (value: HoleValue): string =>
  typeof value === 'string' ? value : value.map((each) => (typeof each === 'string' ? each : each.content)).join('\n');

function fillText(text: string, valueOf: (name: string) => string): string {
  let kept = text;
  for (let before = ''; before !== kept;) {
    before = kept;
    kept = kept.replace(/\{\{([#^])([\w.-]+)\}\}([^]*?)\{\{\/\2\}\}/g, (_, sign: string, name: string, inside: string) =>
      (valueOf(name).trim() !== '') === (sign === '#') ? inside : '',
    );
  }
  return kept
    .split('\n')
    .flatMap((line) => {
      const holes = [...line.matchAll(HOLE)].map(([, , name]) => name!);
      if (holes.length && !line.replace(HOLE, '').trim() && holes.every((name) => !valueOf(name).trim())) return [];
      return [line.replace(HOLE, (_, __, name: string) => valueOf(name))];
    })
    .join('\n')
    .trim();
}
