import { ApiError } from '../clients/http-request.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { OpenQuestions, SeenEvent } from '../clients/web-shapes.ts';
import { type Paint, sanitizeText, transcript } from '../transcript.ts';
import { describeQuestion } from './describe-question.ts';
import type { Prompt } from './line-editor.ts';
import { HELP, parseTypedCommand, resolveChoice, type TypedCommand } from './typed-command.ts';

export interface SeatOptions {
  /** With the token of the seat. */
  readonly web: WebClient;
  readonly table: string;
  readonly seat: number;
  readonly prompt: Prompt;
  readonly paint: Paint;
  /** Whether /quit ends the command; otherwise the person goes on watching and can come back. */
  readonly canLeave: boolean;
  readonly signal: AbortSignal;
}

/** A person at a table, and what the person knows. */
interface Session extends SeatOptions {
  readonly script: ReturnType<typeof transcript>;
  /** Who has voted for whom, by seat, in the questions that are open. */
  readonly votes: Map<number, { readonly question: string; readonly whom: string }>;
  /** Aborts when the person leaves for good. */
  readonly leaving: AbortController;
  open: OpenQuestions;
  brief: string;
  isAway: boolean;
}

/** Lets a person play a seat in the terminal. Resolves when the table is over, or when the person has left for good. */
export async function playSeat(options: SeatOptions): Promise<'over' | 'left'> {
  const leaving = new AbortController();
  const session: Session = {
    ...options,
    script: transcript(options.paint),
    votes: new Map(),
    leaving,
    open: { asked: [], brief: '', alive: [] },
    brief: '',
    isAway: false,
  };
  const typing = readCommands(session);
  typing.catch(() => leaving.abort());
  for await (const update of options.web.follow(options.table, { signal: AbortSignal.any([leaving.signal, options.signal]) })) {
    if (update.kind === 'seen') showEvent(session, update.seen);
    if (update.kind === 'asked') showQuestions(session, update.asked);
  }
  if (!leaving.signal.aborted) return 'over';
  await typing;
  return 'left';
}

async function readCommands(session: Session): Promise<void> {
  const { prompt, paint, leaving, script } = session;
  for await (const line of prompt.lines()) {
    if (leaving.signal.aborted) return;
    const command = parseTypedCommand(line, script.names);
    if (!command) continue;
    try {
      await runCommand(session, command);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      prompt.show(paint('red', sanitizeText(error.message)));
    }
    if (leaving.signal.aborted) return; // after /quit no further line comes
  }
}

function showEvent({ script, prompt, votes }: Session, seen: SeenEvent): void {
  const line = script.line(seen);
  if (line !== undefined) prompt.show(line);
  const { event } = seen;
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
  if (next.brief && next.brief !== session.brief) prompt.show(paint('bold', sanitizeText(next.brief)));
  session.brief = next.brief || session.brief;
  if (!session.isAway) for (const question of added) prompt.show(paint('dim', describeQuestion(question)));
}

async function runCommand(session: Session, command: TypedCommand): Promise<void> {
  const { web, table, prompt, paint, open } = session;
  switch (command.does) {
    case 'say': {
      const question = open.asked.find(({ verb, room }) => verb === 'say' && room !== undefined);
      if (!question) return prompt.show(paint('dim', 'You cannot speak now.'));
      return web.speak(table, question.room!, command.text);
    }
    case 'choose': {
      const choice = resolveChoice(command.step, command.whom, open.asked);
      if ('why' in choice) return prompt.show(`${sanitizeText(choice.why)}\n${HELP}`);
      return web.act(table, choice.question.id, choice.says);
    }
    case 'whisper':
      return web.whisper(table, command.whom, command.text);
    case 'votes':
      return prompt.show(describeVotes(session));
    case 'who':
      return prompt.show(describeTable(session));
    case 'rules':
      return prompt.show(await rulesText(session));
    case 'back':
      await web.comeBack(table);
      session.isAway = false;
      return prompt.show('You play again.');
    case 'quit':
      return leaveSeat(session);
    case 'help':
      return prompt.show(HELP);
    case 'unknown':
      return prompt.show(`${sanitizeText(command.why)}\n${HELP}`);
  }
}

async function leaveSeat(session: Session): Promise<void> {
  if (!session.isAway) await session.web.leave(session.table);
  session.isAway = true;
  if (session.canLeave) session.leaving.abort();
  else session.prompt.show('A mind plays your seat now. /back takes it back; Ctrl-C ends the game.');
}

const describeVotes = ({ votes, script }: Session): string =>
  [...votes].map(([by, { whom }]) => `${script.names[by] ?? `Seat ${by}`} → ${whom}`).join('\n') || 'You know of no votes.';

const describeTable = ({ script, open, seat, brief, isAway, paint }: Session): string =>
  [
    ...script.names.map((name, at) => `${open.alive[at] === false ? '† ' : '  '}${name}${at === seat ? ' (you)' : ''}`),
    sanitizeText(brief),
    `You are ${open.life ?? 'here'}.${isAway ? ' A mind plays for you.' : ''}`,
    ...open.asked.map((question) => paint('dim', describeQuestion(question))),
  ].join('\n');

async function rulesText({ web, table }: Session): Promise<string> {
  const { summary } = await web.view(table, undefined, Number.MAX_SAFE_INTEGER).catch(() => web.view(table));
  const { text = '' } = await web.rules(summary.rules, summary.players.length);
  return text.split('\n').map(sanitizeText).join('\n');
}
