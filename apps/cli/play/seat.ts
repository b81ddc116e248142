import { HELP, parseTypedCommand, resolveChoice, stepOf } from './typed-command.ts';
import { type OpenQuestions, type WebClient, ApiError, type SeenEvent } from '../clients/web-client.ts';
import type { Prompt } from './prompt.ts';
import { type Paint, sanitizeText, transcript } from '../transcript.ts';

export interface SeatOptions {
  readonly door: WebClient;
  readonly table: string;
  readonly seat: number;
  readonly prompt: Prompt;
  readonly paint: Paint;
  /** Whether leaving ends the command; otherwise one goes on watching and may come back. */
  readonly mayLeave: boolean;
  readonly signal: AbortSignal;
}

/** A person plays a seat in the terminal. Resolves when the table is over, or when the person has left for good. */
export async function playSeat({ door, table, seat, prompt, paint, mayLeave, signal }: SeatOptions): Promise<'over' | 'left'> {
  const scribe = transcript(paint);
  const gone = new AbortController();
  const show = (text: string) => prompt.show(text);
  let now: OpenQuestions = { asked: [], brief: '', alive: [] };
  let brief = '';
  let isAway = false;
  const votes = new Map<number, { question: string; whom: string }>();

  function hear(seen: SeenEvent): void {
    const line = scribe.line(seen);
    if (line !== undefined) show(line);
    const { event } = seen;
    if (event.type === 'settled' || event.type === 'withdrawn') {
      for (const [by, { question }] of votes) if (question === event['question']) votes.delete(by);
    }
    if (event.type === 'answered') {
      const { by, says } = event['answer'] as { by: number; says: string[] };
      const question = event['question'] as string;
      if (/^seat:\d+$/.test(says[0]!) && says.length === 1)
        votes.set(by, { question, whom: scribe.names[Number(says[0]!.slice(5))] ?? says[0]! });
    }
  }

  function ask(next: OpenQuestions): void {
    const fresh = next.asked.filter(({ id }) => !now.asked.some((old) => old.id === id));
    now = next;
    if (next.brief && next.brief !== brief) show(paint('bold', sanitizeText(next.brief)));
    brief = next.brief || brief;
    if (!isAway) for (const q of fresh) show(paint('dim', what(q)));
  }

  async function obey(typed: string): Promise<void> {
    const wish = parseTypedCommand(typed, scribe.names);
    if (!wish) return;
    switch (wish.does) {
      case 'say': {
        const open = now.asked.find(({ verb, room }) => verb === 'say' && room !== undefined);
        if (!open) return show(paint('dim', 'You cannot speak now.'));
        return door.speak(table, open.room!, wish.text);
      }
      case 'choose': {
        const found = resolveChoice(wish.step, wish.whom, now.asked);
        if ('why' in found) return show(`${sanitizeText(found.why)}\n${HELP}`);
        return door.act(table, found.question.id, found.says);
      }
      case 'whisper':
        return door.whisper(table, wish.whom, wish.text);
      case 'votes':
        return show(
          votes.size
            ? [...votes].map(([by, { whom }]) => `${scribe.names[by] ?? `Seat ${by}`} → ${whom}`).join('\n')
            : 'Nobody has voted that you know of.',
        );
      case 'who':
        return show(who());
      case 'rules':
        return show(await rulesText());
      case 'back':
        await door.comeBack(table);
        isAway = false;
        return show('You play again.');
      case 'quit':
        if (!isAway) await door.leave(table);
        isAway = true;
        if (mayLeave) return gone.abort();
        return show('A mind plays your seat now. /back takes it back; Ctrl-C ends the game.');
      case 'help':
        return show(HELP);
      case 'unknown':
        return show(`${sanitizeText(wish.why)}\n${HELP}`);
    }
  }

  const who = (): string =>
    [
      ...scribe.names.map((name, at) => `${now.alive[at] === false ? '† ' : '  '}${name}${at === seat ? ' (you)' : ''}`),
      sanitizeText(brief),
      `You are ${now.life ?? 'here'}.${isAway ? ' A mind plays for you.' : ''}`,
      ...now.asked.map((q) => paint('dim', what(q))),
    ].join('\n');

  async function rulesText(): Promise<string> {
    const { summary } = await door.view(table, undefined, Number.MAX_SAFE_INTEGER).catch(() => door.view(table));
    return plain2((await door.rules(summary.rules, summary.players.length)).text ?? '');
  }

  const typing = (async () => {
    for await (const line of prompt.lines()) {
      if (gone.signal.aborted) return;
      await obey(line).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        show(paint('red', sanitizeText(error.message)));
      });
      if (gone.signal.aborted) return;
    }
  })();
  typing.catch(() => gone.abort());

  for await (const news of door.follow(table, { signal: AbortSignal.any([gone.signal, signal]) })) {
    if (news.kind === 'seen') hear(news.seen);
    if (news.kind === 'asked') ask(news.asked);
  }
  if (gone.signal.aborted) await typing;
  return gone.signal.aborted ? 'left' : 'over';
}

const plain2 = (text: string): string => text.split('\n').map(sanitizeText).join('\n');

function what({ id, verb, options, room }: OpenQuestions['asked'][number]): string {
  const where = room ? ` in the ${room.slice(room.lastIndexOf('/') + 1)}` : '';
  switch (verb) {
    case 'say':
      return `You may speak${where}.`;
    case 'tell':
      return 'You may whisper: /whisper NAME text';
    case 'choose':
      return `/${stepOf(id)} one of: ${options.map(({ named }) => named).join(', ')}`;
  }
}
