import type { FaultName } from '../faults.ts';
import { freeAnswer, thinkingText, playerGuide } from './player-guide.ts';
import { seededRandom } from '../seeded-random.ts';
import { generateValue, meetsSchema } from '../json-schema/generate.ts';
import { isFields, type Schema, wordsIn } from '../json-schema/schema.ts';
import { requireShallow } from '../json-schema/size.ts';
import { readPrompt, type Message } from './read-prompt.ts';

export type ThinkLevel = 'low' | 'medium' | 'high' | 'max';

export interface AnswerRequest {
  readonly messages: readonly Message[];
  /** `json` for any object; undefined for free text. */
  readonly format: 'json' | Schema | undefined;
  readonly think: ThinkLevel | undefined;
  readonly tools: readonly unknown[];
}

export interface ToolCall {
  readonly id: string;
  readonly function: { readonly index: number; readonly name: string; readonly arguments: unknown };
}

export interface Answer {
  readonly thinking: string;
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
}

const ANY_OBJECT: Schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

/** The simulated model's answer, determined by request and seed. @throws Unmeetable */
export const answerTo = (asked: AnswerRequest, seed: string): Answer => {
  requireShallow([asked.format, asked.tools]);
  const random = seededRandom(`${seed} ${JSON.stringify(asked)}`);
  const schema = asked.format === 'json' ? ANY_OBJECT : asked.format;
  const facts = readPrompt(asked.messages, schema === undefined ? [] : wordsIn(schema));
  const thinking = asked.think === undefined ? '' : thinkingText(facts, asked.think, random);
  const tool = asked.messages.at(-1)?.role === 'tool' ? undefined : asked.tools.map(readTool).find((one) => one !== undefined);
  if (tool !== undefined && schema === undefined) {
    const given = generateValue(tool.parameters, playerGuide(facts, random), random);
    const id = `call_${Math.floor(random.next() * 2 ** 32).toString(36)}`;
    return { thinking, content: '', toolCalls: [{ id, function: { index: 0, name: tool.name, arguments: given } }] };
  }
  const content =
    schema === undefined ? freeAnswer(facts, random) : JSON.stringify(generateValue(schema, playerGuide(facts, random), random));
  return { thinking, content, toolCalls: [] };
};

const readTool = (tool: unknown): { readonly name: string; readonly parameters: Schema } | undefined => {
  const described = isFields(tool) ? tool['function'] : undefined;
  if (!isFields(described) || typeof described['name'] !== 'string') return undefined;
  return { name: described['name'], parameters: isFields(described['parameters']) ? described['parameters'] : { type: 'object' } };
};

const REPEATS_ALLOWED = 30;

/** Applies a fault of the model to an answer. */
export const applyFault = (answer: Answer, fault: FaultName | undefined, format: AnswerRequest['format']): Answer => {
  if (fault === 'empty-content') return { thinking: answer.thinking, content: '', toolCalls: [] };
  if (fault === 'think-leak') return { ...answer, content: `<think>\nI should not say this aloud.\n</think>\n\n${answer.content}` };
  if (fault === 'whitespace-run') return { ...answer, content: `{${'\n'.repeat(REPEATS_ALLOWED)}`, toolCalls: [] };
  if (fault === 'schema-violation')
    return { ...answer, content: violation(format === 'json' ? ANY_OBJECT : (format ?? true)), toolCalls: [] };
  return answer;
};

/** JSON that the schema does not allow; no JSON where it allows everything. */
const violation = (schema: Schema): string => {
  const samples = ['["not what was asked for"]', '{"not":"what was asked for"}', '"not what was asked for"', 'false'];
  return samples.find((sample) => !meetsSchema(schema, JSON.parse(sample))) ?? '{"not what was asked for';
};
