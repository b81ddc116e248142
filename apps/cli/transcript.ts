import { styleText } from 'node:util';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { Language } from '@maw/games/kernel/language.ts';
import type { SeenEvent } from './clients/table-stream.ts';
import { refusalWords } from '@maw/contracts/refusal-words.ts';

type Style = Parameters<typeof styleText>[0];
/** Writes text in a style, or as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours for terminals that want them: none in pipes, none with NO_COLOR. */
export const createPaint = (isColour: boolean): Paint =>
  isColour ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

const HUES = ['cyan', 'magenta', 'yellow', 'green', 'blue'] as const;
const NAME_STYLES = [...HUES, ...HUES.map((hue) => `${hue}Bright` as const)];

/** The rooms in which everybody speaks. */
const PUBLIC_ROOMS: ReadonlySet<string> = new Set(['Village', 'Table']);

/** A table that stands still for less is not worth a line. */
const NOTICED_DELAY_MS = 10_000;

/** What the lines so far have told. */
interface Script {
  readonly paint: Paint;
  readonly names: string[];
  /** The verbs of the questions. */
  readonly verbs: Map<string, string>;
  /** What each seat said last, where it had nothing to say, with the day or night. */
  readonly silences: Map<number, string>;
  /** The language of the game, where it has one of its own. */
  language: Language | undefined;
}

/**
 * Turns the events of a view into lines for people. It remembers what it needs from the events before: the game, names, and what was asked.
 */
export function transcript(paint: Paint) {
  const script: Script = { paint, names: [], verbs: new Map(), silences: new Map(), language: undefined };
  return {
    names: script.names as readonly string[],
    language: () => script.language,
    /** A player as it is shown: by name, in some games with a number. */
    label: (seat: number): string => labelOf(script, seat),
    /** A text that names players, safe for a terminal. */
    display: (text: string): string => display(script, text),
    /** The line for an event, or undefined when there is nothing to show. */
    line(seen: SeenEvent): string | undefined {
      note(script, seen);
      return seen.text === undefined || isHidden(seen) ? undefined : lineOf(script, seen, seen.text);
    },
  };
}

/** Whether nobody needs to read it: the status says what is asked, and nobody notices that a table stood still for a moment. */
const isHidden = ({ event }: SeenEvent): boolean =>
  event.type === 'asked' || (event.type === 'delayed' && (event['ms'] as number) < NOTICED_DELAY_MS);

const labelOf = ({ names, language }: Script, seat: number): string => {
  const name = names[seat];
  return name === undefined ? `Seat ${seat}` : (language?.displayName(name, seat) ?? name);
};

const display = ({ names, language }: Script, text: string): string => {
  const safe = sanitizeText(text);
  return language?.displayText(safe, names) ?? safe;
};

function note(script: Script, { event }: SeenEvent): void {
  if (event.type === 'opened') {
    const { rules } = event['opening'] as { rules: string };
    script.language = catalogue.find(({ name }) => name === rules)?.language;
  }
  if (event.type === 'joined') script.names[event['seat'] as number] = sanitizeText(event['name'] as string);
  if (event.type === 'asked') {
    const { id, verb } = event['question'] as { id: string; verb: string };
    script.verbs.set(id, verb);
  }
}

function lineOf(script: Script, { event, room }: SeenEvent, text: string): string | undefined {
  const { paint } = script;
  const told = display(script, text);
  switch (event.type) {
    case 'answered':
      return answerLine(script, event, text, room);
    case 'gathered':
    case 'dawned':
    case 'led':
      return `\n${paint(['bold', 'yellow'], `── ${told}`)}`;
    case 'dusked':
      return `\n${paint(['bold', 'blue'], `── ${told}`)}`;
    case 'executed':
    case 'murdered':
    case 'killed':
    case 'died':
    case 'felled':
      return paint(['bold', 'red'], `** ${told}`);
    case 'majority-reached':
    case 'hastened':
      return paint(['bold', 'yellow'], `** ${told}`);
    case 'quested':
    case 'ended':
    case 'closed':
    case 'scored':
      return paint('bold', `** ${told}`);
    case 'began':
      return `\n${paint(['bold', 'underline'], told)}`;
    case 'refused':
      return paint('dim', `-- ${labelOf(script, event['seat'] as number)} was refused: ${refusalWords(event as never)}`);
    default:
      return paint('dim', `-- ${told}`);
  }
}

function answerLine(script: Script, event: SeenEvent['event'], text: string, room: string | undefined): string | undefined {
  const { paint, names, verbs, language } = script;
  const { by } = event['answer'] as { by: number };
  const verb = verbs.get(event['question'] as string);
  if (verb === 'choose') return paint('dim', `   ${display(script, text)}`);
  const silence = verb === 'say' ? language?.silence(text) : undefined;
  if (silence !== undefined) return silenceLine(script, by, String(event['question']), silence);
  script.silences.delete(by);
  const where = room?.slice(room.lastIndexOf('/') + 1);
  const place = verb === 'tell' ? paint('italic', '(whisper) ') : where && !PUBLIC_ROOMS.has(where) ? paint('dim', `[${where}] `) : '';
  const speaker = paint(['bold', NAME_STYLES[by % NAME_STYLES.length]!], labelOf(script, by));
  const speech = sanitizeText(text);
  return `${place}${speaker}: ${language?.displaySpeech(speech, names) ?? speech}`;
}

/** That somebody has nothing to say is told once a day. */
function silenceLine(script: Script, by: number, question: string, silence: string): string | undefined {
  const told = `${question.replace(/\/turn-.*$/, '')} ${silence}`;
  if (script.silences.get(by) === told) return undefined;
  script.silences.set(by, told);
  return script.paint('dim', `   ${labelOf(script, by)} ${silence}.`);
}
