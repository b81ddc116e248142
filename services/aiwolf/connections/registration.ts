import { playerName } from '@maw/contracts/messages/schemas.ts';
import type { AgentAnswer } from '@maw/aiwolf/server/report.ts';
import type { AgentConnection, AnswerLimits } from './agent-connection.ts';
import { teamOf } from '@maw/aiwolf/server/server-terms.ts';
import { type Conversation, NORMAL, POLICY } from './conversation.ts';
import type { Settings } from './server-options.ts';

/** Who an agent must be: the team of its token. */
interface Registration {
  /** The packet that asks for the name. */
  readonly packet: string;
  /** The only team the agent may belong to. Absent: any. */
  readonly team?: string | undefined;
  /** Where it comes from. */
  readonly address: string | undefined;
}

/** Asks an agent for its name, and hands its connection over. One without a fit name is sent away. */
export async function register(
  conversation: Conversation,
  { packet, team, address = '' }: Registration,
  settings: Settings,
): Promise<void> {
  const answer = await conversation.ask(packet, settings.nameMs);
  const name = 'text' in answer ? answer.text.trim() : '';
  const why = 'fault' in answer ? answer.detail : objectionTo(name, team);
  if (why === undefined) {
    void conversation.closed.then(() => logUnasked(conversation, name, settings));
    return settings.onAgent(connectionOf(conversation, packet, name, team ?? address));
  }
  settings.log.info({ why }, 'agent refused at NAME');
  await conversation.close(POLICY, `NAME: ${why}`);
}

function logUnasked({ unasked }: Conversation, agent: string, { log }: Settings): void {
  if (unasked() > 0) log.warn({ agent, unasked: unasked() }, 'agent sent texts that nobody asked for; they were dropped');
}

/** Says nothing of what the agent sent: it may be long or hostile. */
function objectionTo(name: string, team: string | undefined): string | undefined {
  if (name === '') return 'the name is empty';
  if (!playerName.safeParse(name).success) return 'a name has at most 100 characters, and no control characters';
  if (/ HTTP\/1\.[01]$/.test(name)) return 'agents connect here, not browsers';
  if (team !== undefined && teamOf(name) !== team) return 'the token is for another team';
  return undefined;
}

const connectionOf = (conversation: Conversation, namePacket: string, name: string, origin: string): AgentConnection => ({
  name,
  origin,
  team: teamOf(name),
  send: conversation.send,
  async request(text, limits) {
    const answer = await conversation.ask(text, limits.answerMs + limits.extraMs);
    const isLate = 'fault' in answer && answer.fault === 'late';
    return isLate && limits.signMs > 0 ? askForSign(conversation, namePacket, name, answer, limits) : answer;
  },
  listen: conversation.listen,
  unasked: conversation.unasked,
  closed: conversation.closed,
  close: (reason = '') => conversation.close(NORMAL, reason),
});

/** A late agent that tells its name lives, and owes no answer any more. One late answer may come before it. */
async function askForSign(
  conversation: Conversation,
  namePacket: string,
  name: string,
  late: AgentAnswer,
  { signMs, strict }: AnswerLimits,
): Promise<AgentAnswer> {
  const isName = (text: string): boolean => text.trim() === name;
  const sign = await conversation.ask(namePacket, signMs, strict ? () => true : isName);
  if ('text' in sign && isName(sign.text)) return late;
  if ('fault' in sign && sign.fault === 'gone') return sign;
  const isSilent = 'fault' in sign && sign.fault === 'late';
  const why = isSilent ? `no name within ${signMs} ms` : 'another text than its name';
  void conversation.close(POLICY, `no sign of life: ${why}`);
  return { fault: 'gone', detail: `no sign of life after a late answer: ${why}` };
}
