import { ApiProblem } from '@maw/api-client/problem.ts';
import type { Link } from '@maw/api-client/stream.ts';
import type { OpenQuestions, SeenEvent } from '../clients/table-stream.ts';
import { read } from '@maw/games/english/reader.ts';
import { readerRoles, understood } from '@maw/games/english/understood.ts';
import { spokenRoles } from '@maw/games/roles.ts';
import type { Translation } from '@maw/games/kernel/language.ts';
import { nameOption } from '@maw/games/kernel/narration.ts';
import { namedSeats } from '@maw/games/kernel/question.ts';
import { hasLanguage, hasOver } from '@maw/games/match/asked-question.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { describeQuestion, type Question } from './describe-question.ts';
import { refusalWords } from '@maw/contracts/refusal-words.ts';
import { statusRows, updateStanding } from './status-line.ts';
import {
  type Departure,
  newSession,
  noteClock,
  noteLink,
  notice,
  nowOf,
  refuse,
  type SeatOptions,
  type Session,
  tellOfLoss,
} from './session.ts';
import { completionsFor, HELP, parseTypedCommand, type TypedCommand } from './typed-command.ts';

const CLOCK_MS = 1_000;
/** After so long without a key, a turn that may be skipped is. */
const IDLE_MS = 30_000;
/** Lets a person play a seat in the terminal. Resolves when the table is over, or when the person has left for good. */
export async function playSeat(options: SeatOptions): Promise<'over' | Departure> {
  const session = newSession(options);
  const { prompt, leaving } = session;
  prompt.setStatus((columns) => (session.script.names.length ? statusRows(statusOf(session), columns) : []));
  prompt.setCompletions((line) => completionsFor(line, sightOf(session)));
  const clock = setInterval(() => {
    skipIdleTurn(session);
    tellOfLoss(session);
    prompt.refresh();
  }, CLOCK_MS);
  const typing = readCommands(session);
  typing.catch(() => leaving.abort());
  try {
    const following = {
      signal: AbortSignal.any([leaving.signal, options.signal]),
      ...(options.away && { forMs: options.away.forMs }),
      onLink: (link: Link) => noteLink(session, link),
    };
    for await (const update of options.web.follow(options.table, following)) {
      if (update.kind === 'seen') showEvent(session, update.seen);
      if (update.kind === 'asked') showQuestions(session, update.asked);
      if (update.kind === 'clock') noteClock(session, update.clock);
      prompt.refresh();
    }
  } finally {
    clearInterval(clock);
  }
  if (!leaving.signal.aborted) return 'over';
  await typing;
  return session.departure;
}

const sightOf = ({ script, open, standing }: Session) => ({
  names: script.names,
  asked: open.asked,
  hasWhispers: standing.opening?.options['whisper'] === true,
});
const statusOf = (session: Session) => ({
  ...session,
  questions: session.open,
  names: session.script.names.map((_, at) => session.script.label(at)),
  isLost: session.server.lost !== undefined,
  idleUntil: idleUntil(session),
  now: nowOf(session),
});
async function readCommands(session: Session): Promise<void> {
  const { prompt, leaving } = session;
  for await (const line of prompt.lines()) {
    if (leaving.signal.aborted) return;
    try {
      await readLine(session, line);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      refuse(session, refusalWords(error));
    }
    prompt.refresh();
    if (leaving.signal.aborted) return; // after /quit no further line comes
  }
}

async function readLine(session: Session, line: string): Promise<void> {
  const { pending } = session;
  session.pending = undefined;
  if (pending && /^\s*\/?y(es)?\s*$/i.test(line)) return pending.yes();
  if (pending && /^\s*\/?no?\s*$/i.test(line)) return pending.no();
  const command = parseTypedCommand(line, sightOf(session));
  if (command) session.silence = undefined;
  if (command) return runCommand(session, command);
  if (pending) notice(session, 'Nothing was done.');
}

function showEvent(session: Session, seen: SeenEvent): void {
  const { script, prompt, standing, seat, onSeen } = session;
  const { votes } = session.heard;
  const { event } = seen;
  onSeen?.(seen);
  noteTurn(session, seen);
  updateStanding(standing, seen, seat);
  const line = script.line(seen);
  if (line !== undefined && event.type !== 'refused') prompt.show(line); // the person was told when it was refused
  if (event.type === 'settled' || event.type === 'withdrawn') {
    for (const [by, { question }] of votes) if (question === event['question']) votes.delete(by);
  }
  if (event.type !== 'answered') return;
  const { by, says } = event['answer'] as { by: number; says: readonly string[] };
  hear(session, seen);
  if (says.length !== 1 || !/^seat:\d+$/.test(says[0]!)) return;
  const whom = script.label(Number(says[0]!.slice('seat:'.length)));
  votes.set(by, { question: event['question'] as string, whom });
}

/** Takes in what is said in a room. Of an own line, which minds may misunderstand, it is told what those without a model understand. */
function hear(session: Session, { event, room }: SeenEvent): void {
  const { standing, heard, script, seat } = session;
  const { by, says } = event['answer'] as { by: number; says: readonly [string] };
  const { opening } = standing;
  if (!opening || room === undefined || says.length !== 1 || opening.options['language'] === 'protocol') return;
  const before = heard.lines.filter((line) => line.room === room);
  heard.lines.push({ by, text: says[0], room });
  if (by !== seat) return;
  const table = { names: script.names, roles: readerRoles(spokenRoles(opening.rules, opening)) };
  const words = understood(read(says[0], seat, table, before), table);
  session.understood = { ...session.understood, words };
  if (words && session.understood.isTold) notice(session, `Understood: ${words}.`);
}

/** The questions with their players as they are shown, and with an example in plain English where the game has a language. */
function labelled({ script }: Session, asked: readonly Question[]): Question[] {
  const named = ({ is, named: name }: Question['options'][number]): string => {
    if (namedSeats(is).length) return nameOption(is, (seat) => script.label(seat));
    return is.includes(' ') ? (script.language()?.plainExample(is, script.names) ?? name) : name;
  };
  return asked.map((question) => ({ ...question, options: question.options.map((option) => ({ is: option.is, named: named(option) })) }));
}

function showQuestions(session: Session, given: OpenQuestions): void {
  const { prompt, paint, open, script } = session;
  const next = { ...given, asked: labelled(session, given.asked) };
  const added = next.asked.filter(({ id }) => !open.asked.some((old) => old.id === id));
  session.open = next;
  session.isAway = next.holder === 'mind';
  if (next.brief && next.brief !== session.brief) prompt.show(paint('bold', script.display(next.brief)));
  session.brief = next.brief || session.brief;
  if (session.isAway) return;
  if (prompt.keys() !== session.silence?.keys) session.silence = undefined; // somebody types
  for (const question of added) {
    if (session.silence?.day === dayOf(question.id) && hasOver(question))
      void speak(session, 'Over').catch(() => announce(session, question));
    else announce(session, question);
  }
  skipIdleTurn(session);
}

async function runCommand(session: Session, command: TypedCommand): Promise<void> {
  const { web, table, prompt } = session;
  switch (command.does) {
    case 'say':
      return speak(session, command.text);
    case 'choose':
      return choose(session, command);
    case 'whisper':
      await web.whisper(table, command.whom, command.text);
      return undefined;
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
    case 'understood':
      session.understood = { ...session.understood, isTold: command.isTold ?? session.understood.isTold };
      return notice(session, `Understood: ${session.understood.words || 'nothing about anybody'}.`);
    case 'quit':
      return quit(session, command.isMindWanted);
    case 'help':
      return prompt.show(HELP);
    case 'ready':
      return sayReady(session);
    case 'skip':
    case 'over':
      return pass(session, command.does);
    case 'unknown':
      return refuse(session, command.why);
  }
}

/** The day or night in which talk goes in turns: `round-1/day-2` of `round-1/day-2/turn-3/talk`. */
const dayOf = (question: string): string => question.split('/').slice(0, -2).join('/');

/** Says nothing in this turn, or in none of the day. Where the game has no word for it, the person passes aloud. */
async function pass(session: Session, word: 'skip' | 'over'): Promise<void> {
  const question = session.open.asked.find(({ verb, final }) => verb === 'say' && final);
  if (!question) return refuse(session, 'It is not your turn to speak.');
  if (!hasOver(question)) return speak(session, 'I pass.');
  if (word === 'over') session.silence = { day: dayOf(question.id), keys: session.prompt.keys() };
  await speak(session, word === 'over' ? 'Over' : 'Skip');
}

/** Notes what is said in turns. Whoever lets its time run out is not waited for again that day. */
function noteTurn(session: Session, { event }: SeenEvent): void {
  const question = String(event['question']);
  if (!/\/turn-\d+\//.test(question)) return;
  if (event.type === 'answered') {
    const { by, says } = event['answer'] as { by: number; says: readonly string[] };
    session.heard.said.push({ question, by, text: says[0] });
  }
  if (event.type !== 'passed') return;
  session.heard.said.push({ question, by: event['seat'] as number, text: undefined });
  if (event['seat'] === session.seat) noteSilence(session, question, 'You said nothing in time.');
}

function noteSilence(session: Session, question: string, why: string): void {
  const day = dayOf(question);
  if (session.silence?.day === day) return;
  session.silence = { day, keys: session.prompt.keys() };
  notice(session, `${why} Your further turns today are passed over. Press a key to be asked again.`);
}

/** Whether a turn is skipped when nobody presses a key. */
const mayIdle = ({ prompt, isAway }: Session, question: Question): boolean =>
  !isAway && prompt.isTerminal && question.final && hasOver(question);

/** When the turn is skipped unless a key comes; undefined: it is not. */
const idleUntil = ({ idle, prompt, server }: Session): number | undefined =>
  idle && !idle.isSkipped && idle.keys === prompt.keys() ? idle.since + server.aheadMs + IDLE_MS : undefined;

/** Does not let the table wait for a turn that may be skipped when no key has come in it. */
function skipIdleTurn(session: Session): void {
  const { prompt, open, now, idle } = session;
  const question = open.asked.find((each) => mayIdle(session, each));
  if (!question || idle?.question !== question.id) {
    session.idle = question && { question: question.id, keys: prompt.keys(), since: now(), isSkipped: false };
  } else if ((idleUntil(session) ?? Infinity) <= nowOf(session)) {
    noteSilence(session, question.id, `You pressed no key for ${IDLE_MS / 1000} seconds.`);
    const skipped = { ...idle, isSkipped: true };
    session.idle = skipped;
    void speak(session, 'Skip').catch(() => {
      if (session.idle === skipped) session.idle = idle; // the next tick tries again, unless the turn is over
    });
  }
}

/** Speaks, or says why not. Only a text that is too long stands in the line again: whatever is typed next would join any other. */
async function speak(session: Session, typed: string): Promise<void> {
  const { web, table, prompt, open } = session;
  const question = open.asked.find(({ verb, room }) => verb === 'say' && room !== undefined);
  const speech = question ? speechFor(session, question, typed) : { why: 'You cannot speak now. The arrow key ↑ brings your words back.' };
  if ('why' in speech) {
    refuse(session, speech.why);
    return 'isTooLong' in speech ? prompt.edit(typed) : undefined;
  }
  if (speech.text !== typed) notice(session, `In the language of the game: ${speech.text}`);
  await web.speak(table, question!.room!, speech.text);
}

/** What is said for what was typed, or why nothing is. */
function speechFor(
  { script, seat, heard, open }: Session,
  question: Question,
  typed: string,
): Translation | { readonly why: string; readonly isTooLong: true } {
  const language = hasLanguage(question) ? script.language() : undefined;
  const speech = language?.translate(typed, { seat, names: script.names, alive: open.alive, said: heard.said, question: question.id }) ?? {
    text: typed,
  };
  const length = 'text' in speech ? [...speech.text].length : 0;
  if (length <= question.maxChars) return speech;
  return { why: `Too long: ${length} characters, at most ${question.maxChars}. Nothing was sent; shorten it.`, isTooLong: true };
}

/** Waits for nothing more in a vote that ends once a majority has stood for a while. */
async function sayReady(session: Session): Promise<void> {
  const { web, table, open } = session;
  const question = open.asked.find(({ graceMs }) => graceMs !== undefined);
  if (!question) return notice(session, 'Nobody waits until all are ready now.');
  await web.act(table, question.id, []);
}

async function choose(session: Session, { question, says }: Extract<TypedCommand, { does: 'choose' }>): Promise<void> {
  const { web, table } = session;
  await web.act(table, question.id, says);
  const chosen = says.map((option) => question.options.find(({ is }) => is === option)?.named ?? option).join(', ');
  notice(session, `You chose: ${chosen}.${question.final ? '' : ' You may change it.'}`);
}

function confirm(session: Session, { command, typed }: Extract<TypedCommand, { does: 'confirm' }>): void {
  session.pending = { yes: () => runCommand(session, command), no: () => speak(session, typed) };
  notice(session, `Did you mean /${typed}? y: do it, n: say it aloud`);
}

async function quit(session: Session, isMindWanted: boolean | undefined): Promise<void> {
  if (session.isAway && session.canLeave) return depart(session, 'left');
  if (isMindWanted === false) return depart(session, 'kept');
  if (isMindWanted === undefined && session.prompt.isTerminal) return askToLeave(session);
  await leaveSeat(session);
}

/** Asks whether a mind takes the seat over. */
function askToLeave(session: Session): void {
  if (session.isAway) return depart(session, 'left');
  session.pending = { yes: () => leaveSeat(session), no: async () => depart(session, 'kept') };
  notice(session, 'You leave. Shall a mind play your seat meanwhile? y: yes, n: no, leave it empty, Enter: stay');
}

function depart(session: Session, departure: Departure): void {
  session.departure = departure;
  session.leaving.abort();
}

async function leaveSeat(session: Session): Promise<void> {
  await session.web.leave(session.table);
  session.isAway = true;
  if (session.canLeave) depart(session, 'left');
  else notice(session, 'A mind plays your seat now. /back takes it back; Ctrl-C ends the game.');
}

async function comeBack(session: Session): Promise<void> {
  const { web, table, open } = session;
  await web.comeBack(table);
  session.isAway = false;
  notice(session, 'You play again.');
  for (const question of open.asked) announce(session, question);
}

const announce = (session: Session, question: Question): void => notice(session, described(session, question));

const described = (session: Session, question: Question): string =>
  describeQuestion(question, session.seat, nowOf(session)) +
  (mayIdle(session, question) ? ` Without a key it is skipped after ${IDLE_MS / 1000} seconds.` : '');

const describeVotes = ({ heard, script }: Session): string =>
  [...heard.votes].map(([by, { whom }]) => `${script.label(by)} → ${whom}`).join('\n') || 'You know of no votes.';

function describeTable(session: Session): string {
  const { script, open, seat, brief, isAway, paint } = session;
  return [
    ...script.names.map((_, at) => `${open.alive[at] === false ? '† ' : '  '}${script.label(at)}${at === seat ? ' (you)' : ''}`),
    script.display(brief),
    `You are ${open.life?.toLowerCase() ?? 'here'}.${isAway ? ' A mind plays for you.' : ''}`,
    ...open.asked.map((question) => paint('dim', sanitizeText(described(session, question)))),
  ].join('\n');
}

async function rulesText({ web, table }: Session): Promise<string> {
  const { text = '' } = await web.rulesOf(table);
  return text.split('\n').map(sanitizeText).join('\n');
}
