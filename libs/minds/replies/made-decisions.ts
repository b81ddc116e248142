import type { DecisionOutcome } from '../count-decision.ts';
import { replyText } from './reply-text.ts';

/** How the decisions of one model came about. */
export interface ModelDecisions {
  /** Empty: nobody named it, and it never replied. */
  readonly model: string;
  /** The one that replied last. */
  readonly server?: string | undefined;
  /** How many there were. */
  readonly made: number;
  readonly outcomes: { readonly [outcome in DecisionOutcome]?: number };
  /** What was wrong with those that no reply decided, in words, and how often. */
  readonly wrong: { readonly [what: string]: number };
}

/** A call of a model, as a thought keeps it. */
interface Call {
  readonly model?: string;
  readonly reply?: { readonly model: string; readonly server?: string; readonly content?: string; readonly reason?: string };
  /** Why there is no reply. */
  readonly failed?: string;
}

/** What is wrong where no model replied, by the reason of the refusal. */
const FAILURES: { readonly [reason: string]: string } = {
  'late': 'it does not answer in time',
  'too-long': 'what it is asked is longer than its context',
  'limited': 'its limits are used up',
  'no-server': 'no server has it',
  'invalid-answer': 'it answers with nothing',
};

/**
 * The decision that a step of a thought made. Undefined when it made none, or asked no model.
 * @param usual the model that the seat asks
 */
export function decisionIn(content: { readonly [field: string]: unknown }, usual = ''): ModelDecisions | undefined {
  const { calls, wrong } = content;
  const outcome = content['outcome'] as DecisionOutcome | undefined;
  if (outcome === undefined || !Array.isArray(calls) || !calls.length) return undefined;
  const asked = calls as readonly Call[];
  const reply = asked.findLast((call) => call.reply)?.reply;
  const model = reply?.model ?? asked.at(-1)!.model ?? usual;
  const isLost = outcome === 'fallback' || outcome === 'defaulted';
  return {
    model,
    server: reply?.server,
    made: 1,
    outcomes: { [outcome]: 1 },
    wrong: isLost ? { [typeof wrong === 'string' ? wrong : whatIsWrong(reply, asked.at(-1)!)]: 1 } : {},
  };
}

function whatIsWrong(reply: Call['reply'], { failed = '' }: Call): string {
  if (!reply) return FAILURES[failed.split(':')[0]!] ?? (/no reply until/.test(failed) ? FAILURES['late']! : 'its server fails');
  const text = replyText(reply.content ?? '');
  if (!text) return FAILURES['invalid-answer']!;
  if (reply.reason === 'length') return 'its answers break off';
  return /[{[]/.test(text) ? 'its answers are none of those asked for' : 'it answers without JSON';
}

/** Adds up the decisions of each model. Those of a model that nobody named are those of the only one that was, if there is one. */
export function sumByModel(all: readonly ModelDecisions[]): readonly ModelDecisions[] {
  const names = [...new Set(all.flatMap(({ model }) => model || []))];
  const nameOf = (model: string): string => model || (names.length === 1 ? names[0]! : '');
  return [...Map.groupBy(all, ({ model }) => nameOf(model))].map(([model, own]) => ({
    model,
    server: own.findLast(({ server }) => server !== undefined)?.server,
    made: own.reduce((sum, { made }) => sum + made, 0),
    outcomes: added(own.map(({ outcomes }) => outcomes)),
    wrong: added(own.map(({ wrong }) => wrong)),
  }));
}

function added(counts: readonly { readonly [name: string]: number | undefined }[]): { readonly [name: string]: number } {
  const sum = new Map<string, number>();
  for (const [name, count = 0] of counts.flatMap((each) => Object.entries(each))) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries(sum);
}

/** How many were decided by no reply. */
export const lostIn = ({ outcomes: { fallback = 0, defaulted = 0 } }: ModelDecisions): number => fallback + defaulted;

/** What was wrong most often. */
const mostOften = ({ wrong }: ModelDecisions): string =>
  Object.entries(wrong).reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];

/** Sums up decisions: `34 decisions by m1 on s1: 2 repaired, 30 by default: it answers without JSON.` The server is named where some are lost. */
export function decisionsInWords(decisions: ModelDecisions): string {
  const { model, server, made, outcomes } = decisions;
  const { repaired, fallback, defaulted } = outcomes;
  const counts = Object.entries({ 'repaired': repaired, 'by fallback': fallback, 'by default': defaulted });
  const told = counts.flatMap(([how, count]) => (count ? [`${count} ${how}`] : [])).join(', ') || 'all by the first reply';
  const isLost = lostIn(decisions) > 0;
  const by = `${model || 'the usual model'}${isLost && server !== undefined ? ` on ${server}` : ''}`;
  return `${made} ${made === 1 ? 'decision' : 'decisions'} by ${by}: ${told}${isLost ? `: ${mostOften(decisions)}` : ''}.`;
}

/** Those of models that lost some, in words. */
export const lossesInWords = (all: readonly ModelDecisions[]): string[] => all.filter(lostIn).map(decisionsInWords);

/**
 * Says which model's replies cannot be used, and where to learn more. Without numbers: how often a seat thinks, and how often in vain, may depend on its
 * role.
 */
export function lossInWords(decisions: ModelDecisions): string {
  const { model, server, made } = decisions;
  const share = lostIn(decisions) * 2 >= made ? 'Most' : 'Many';
  const by = `the model ${model || 'that is usual'}${server === undefined ? '' : ` (server ${server})`}`;
  const more = model ? ` ./maw doctor --model ${model} says more.` : '';
  return `${share} of the last public decisions by ${by} were not its own: ${mostOften(decisions)}.${more}`;
}
