import { ApiError } from '../clients/http-request.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { OpenQuestions, SeenEvent } from '../clients/web-shapes.ts';
import { type Paint, sanitizeText, transcript } from '../transcript.ts';
import { describeQuestion, hasOver, type Question } from './describe-question.ts';
import { refusalWords } from '../refusal-words.ts';
import { newStanding, type Standing, statusRows, updateStanding } from './status-line.ts';
import type { Prompt } from './terminal/line-editor.ts';
import { completionsFor, HELP, parseTypedCommand, type TypedCommand } from './typed-command.ts';

export interface SeatOptions {
  /** With the token of the seat. */
  readonly web: WebClient;
  readonly table: string;
  readonly seat: number;
  readonly prompt: Prompt;
  readonly paint: Paint;
  /** Whether /quit ends the command; otherwise the person goes on watching and can come back. */
  readonly canLeave: boolean;
  /** Receives every event that the seat sees. */
  readonly onSeen?: (seen: SeenEvent) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** How a person left: a mind plays the seat, or nobody does until the person is back. */
export type Departure = 'left' | 'kept';

/** A question of the terminal, answered by the next line. */
interface Pending {
  readonly yes: () => Promise<void>;
  readonly no: () => Promise<void>;
}

/** A person at a table, and what the person knows. */
interface Session extends SeatOptions {
  readonly script: ReturnType<typeof transcript>;
  readonly standing: Standing;
  /** Who has voted for whom, by seat, in the questions that are open. */
  readonly votes: Map<number, { readonly question: string; readonly whom: string }>;
  /** Aborts when the person leaves for good. */
  readonly leaving: AbortController;
  departure: Departure;
  pending: Pending | undefined;
  open: OpenQuestions;
  brief: string;
  isAway: boolean;
  /** The day or night in whose further turns the person says nothing. */
  silentIn: string | undefined;
}

const CLOCK_MS = 1_000;

/** Lets a person play a seat in the terminal. Resolves when the table is over, or when the person has left for good. */
export async function playSeat(options: SeatOptions): Promise<'over' | Departure> {
  const session = newSession(options);
  const { prompt, leaving } = session;
  prompt.setStatus((columns) => statusRows(statusOf(session), columns));
  prompt.setCompletions((line) => completionsFor(line, sightOf(session)));
  const clock = setInterval(() => prompt.refresh(), CLOCK_MS);
  const typing = readCommands(session);
  typing.catch(() => leaving.abort());
  try {
    for await (const update of options.web.follow(options.table, { signal: AbortSignal.any([leaving.signal, options.signal]) })) {
      if (update.kind === 'seen') showEvent(session, update.seen);
      if (update.kind === 'asked') showQuestions(session, update.asked);
      prompt.refresh();
    }
  } finally {
    clearInterval(clock);
  }
  if (!leaving.signal.aborted) return 'over';
  await typing;
  return session.departure;
}

const newSession = (options: SeatOptions): Session => ({
  ...options,
  script: transcript(options.paint),
  standing: newStanding(),
  votes: new Map(),
  leaving: new AbortController(),
  departure: 'left',
  pending: undefined,
  open: { asked: [], brief: '', alive: [] },
  brief: '',
  isAway: false,
  silentIn: undefined,
});

const sightOf = ({ script, open }: Session) => ({ names: script.names, asked: open.asked });
const statusOf = ({ standing, open, script, seat, isAway, now, paint }: Session) => ({
  standing,
  questions: open,
  names: script.names,
  seat,
  isAway,
  now: now(),
  paint,
});

async function readCommands(session: Session): Promise<void> {
  const { prompt, paint, leaving } = session;
  for await (const line of prompt.lines()) {
    if (leaving.signal.aborted) return;
    try {
      await readLine(session, line);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      prompt.show(paint('red', sanitizeText(refusalWords(error))));
    }
    prompt.refresh();
    if (leaving.signal.aborted) return; // after /quit no further line comes
  }
}

async function readLine(session: Session, line: string): Promise<void> {
  const { pending, prompt } = session;
  session.pending = undefined;
  if (pending && /^\s*\/?y(es)?\s*$/i.test(line)) return pending.yes();
  if (pending && /^\s*\/?no?\s*$/i.test(line)) return pending.no();
  const command = parseTypedCommand(line, sightOf(session));
  if (command) session.silentIn = undefined;
  if (command) return runCommand(session, command);
  if (pending) prompt.show('Nothing was done.');
}

function showEvent(session: Session, seen: SeenEvent): void {
  const { script, prompt, votes, standing, seat, onSeen } = session;
  const { event } = seen;
  onSeen?.(seen);
  noteSilence(session, seen);
  updateStanding(standing, seen, seat);
  const line = script.line(seen);
  if (line !== undefined && event.type !== 'refused') prompt.show(line); // the person was told when it was refused
  if (event.type === 'settled' || event.type === 'withdrawn') {
    for (const [by, { question }] of votes) if (question === event['question']) votes.delete(by);
  }
  if (event.type !== 'answered') return;
  const { by, says } = event['answer'] as { by: number; says: readonly string[] };
  if (says.length !== 1 || !/^seat:\d+$/.test(says[0]!)) return;
  const whom = script.names[Number(says[0]!.slice('seat:'.length))] ?? says[0]!;
  votes.set(by, { question: event['question'] as string, whom });
}

function showQuestions(session: Session, next: OpenQuestions): void {
  const { prompt, paint, open } = session;
  const added = next.asked.filter(({ id }) => !open.asked.some((old) => old.id === id));
  session.open = next;
  session.isAway = next.holder === 'mind';
  if (next.brief && next.brief !== session.brief) prompt.show(paint('bold', sanitizeText(next.brief)));
  session.brief = next.brief || session.brief;
  if (session.isAway) return;
  for (const question of added) {
    if (session.silentIn === dayOf(question.id) && hasOver(question)) void speak(session, 'Over').catch(() => announce(session, question));
    else announce(session, question);
  }
}

async function runCommand(session: Session, command: TypedCommand): Promise<void> {
  const { web, table, prompt } = session;
  switch (command.does) {
    case 'say':
      return speak(session, command.text);
    case 'choose':
      return choose(session, command);
    case 'whisper':
      return web.whisper(table, command.whom, command.text);
    case 'confirm':
      return confirm(session, command);
    case 'votes':
      return prompt.show(describeVotes(session));
    case 'who':
      return prompt.show(describeTable(session));
    case 'rules':
      return prompt.show(await rulesText(session));
    case 'back':
      return comeBack(session);
    case 'quit':
      return quit(session, command.isMindWanted);
    case 'help':
      return prompt.show(HELP);
    case 'skip':
    case 'over':
      return pass(session, command.does);
    case 'unknown':
      return prompt.show(sanitizeText(command.why));
  }
}

/** The day or night in which talk goes in turns: `round-1/day-2` of `round-1/day-2/turn-3/talk`. */
const dayOf = (question: string): string => question.split('/').slice(0, -2).join('/');

/** Says nothing in this turn, or in none of the day. Where the game has no word for it, the person passes aloud. */
async function pass(session: Session, word: 'skip' | 'over'): Promise<void> {
  const question = session.open.asked.find(({ verb, final }) => verb === 'say' && final);
  if (!question) return session.prompt.show('It is not your turn to speak.');
  if (!hasOver(question)) return speak(session, 'I pass.');
  if (word === 'over') session.silentIn = dayOf(question.id);
  await speak(session, word === 'over' ? 'Over' : 'Skip');
}

/** Whoever lets its time to speak run out is not waited for again that day, until it types something. */
function noteSilence(session: Session, { event }: SeenEvent): void {
  const { seat, prompt, paint } = session;
  const id = String(event['question']);
  if (event.type !== 'passed' || event['seat'] !== seat || !/\/turn-\d+\//.test(id)) return;
  session.silentIn = dayOf(id);
  prompt.show(paint('dim', 'You said nothing in time, and your further turns today are passed over. Type something to be asked again.'));
}

/** Speaks, or gives the text back to be edited when it cannot be said. */
async function speak({ web, table, prompt, paint, open }: Session, text: string): Promise<void> {
  const question = open.asked.find(({ verb, room }) => verb === 'say' && room !== undefined);
  const length = [...text].length;
  const why = !question
    ? 'You cannot speak now.'
    : length > question.maxChars
      ? `Too long: ${length} characters, at most ${question.maxChars}. Nothing was sent; shorten it.`
      : undefined;
  if (why === undefined) return web.speak(table, question!.room!, text);
  prompt.show(paint('dim', why));
  prompt.edit(text);
}

async function choose({ web, table, prompt, paint }: Session, choice: Extract<TypedCommand, { does: 'choose' }>): Promise<void> {
  const { question, says } = choice;
  await web.act(table, question.id, says);
  const chosen = says.map((option) => question.options.find(({ is }) => is === option)?.named ?? option).join(', ');
  prompt.show(paint('dim', sanitizeText(`You chose: ${chosen}.${question.final ? '' : ' You may change it.'}`)));
}

function confirm(session: Session, { command, typed }: Extract<TypedCommand, { does: 'confirm' }>): void {
  session.pending = { yes: () => runCommand(session, command), no: () => speak(session, typed) };
  session.prompt.show(sanitizeText(`Did you mean /${typed}? y: do it, n: say it aloud`));
}

async function quit(session: Session, isMindWanted: boolean | undefined): Promise<void> {
  if (session.isAway && session.canLeave) return depart(session, 'left');
  if (isMindWanted === false) return depart(session, 'kept');
  if (isMindWanted === undefined && session.prompt.isTerminal) return askToLeave(session);
  await leaveSeat(session);
}

/** Asks whether a mind takes the seat over. */
function askToLeave(session: Session): void {
  const { prompt, isAway } = session;
  if (isAway) return depart(session, 'left');
  session.pending = { yes: () => leaveSeat(session), no: async () => depart(session, 'kept') };
  prompt.show('You leave. Shall a mind play your seat meanwhile? y: yes, n: no, leave it empty, Enter: stay');
}

function depart(session: Session, departure: Departure): void {
  session.departure = departure;
  session.leaving.abort();
}

async function leaveSeat(session: Session): Promise<void> {
  await session.web.leave(session.table);
  session.isAway = true;
  if (session.canLeave) depart(session, 'left');
  else session.prompt.show('A mind plays your seat now. /back takes it back; Ctrl-C ends the game.');
}

async function comeBack(session: Session): Promise<void> {
  const { web, table, prompt, open } = session;
  await web.comeBack(table);
  session.isAway = false;
  prompt.show('You play again.');
  for (const question of open.asked) announce(session, question);
}

const announce = ({ prompt, paint, seat, now }: Session, question: Question): void =>
  prompt.show(paint('dim', sanitizeText(describeQuestion(question, seat, now()))));

const describeVotes = ({ votes, script }: Session): string =>
  [...votes].map(([by, { whom }]) => `${script.names[by] ?? `Seat ${by}`} → ${whom}`).join('\n') || 'You know of no votes.';

const describeTable = ({ script, open, seat, brief, isAway, paint, now }: Session): string =>
  [
    ...script.names.map((name, at) => `${open.alive[at] === false ? '† ' : '  '}${name}${at === seat ? ' (you)' : ''}`),
    sanitizeText(brief),
    `You are ${open.life ?? 'here'}.${isAway ? ' A mind plays for you.' : ''}`,
    ...open.asked.map((question) => paint('dim', sanitizeText(describeQuestion(question, seat, now())))),
  ].join('\n');

async function rulesText({ web, table }: Session): Promise<string> {
  const { text = '' } = await web.rulesOf(table);
  return text.split('\n').map(sanitizeText).join('\n');
}
