import type { Data, ReplyData } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { InvalidAnswer } from '../errors.ts';

type Request = Data<'llm.complete'>;
type Message = Request['messages'][number];
export type ToolCall = NonNullable<ReplyData<'llm.complete'>['toolCalls']>[number];

/** A part of a call, as a stream has it; what it does not say was said before. */
export interface ToolCallPiece {
  /** Which call of the answer; absent: the next. */
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

const MAX_CALLS = 100;
/** Characters of all arguments together. */
const MAX_ARGUMENTS = 400_000;

/** Whether a conversation has tools in it: then its messages cannot be joined or put into other roles. */
export const usesTools = ({ tools, messages }: Request): boolean =>
  tools !== undefined || messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls !== undefined);

/** The same field in both protocols. */
export const toolsField = ({ tools }: Request) =>
  tools && {
    tools: tools.map(({ name, description = '', parameters = { type: 'object', properties: {} } }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  };

/** What a message says of tools, in the protocol of OpenAI. */
export const openaiToolFields = ({ toolCalls, toolCallId }: Message): object =>
  omitUndefined({
    tool_calls: toolCalls?.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } })),
    tool_call_id: toolCallId,
  });

/** The same in Ollama's, which has names for ids and takes arguments as an object. */
export const ollamaToolFields = ({ toolCalls, toolCallId }: Message, all: readonly Message[]): object =>
  omitUndefined({
    tool_calls: toolCalls && ollamaCalls(toolCalls),
    tool_name: toolCallId && all.flatMap((one) => one.toolCalls ?? []).find(({ id }) => id === toolCallId)?.name,
  });

export const ollamaCalls = (calls: readonly ToolCall[]) =>
  calls.map(({ name, arguments: given }) => ({ function: { name, arguments: parsedArguments(given) } }));

function parsedArguments(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Assembles the calls of an answer. */
export function toolCallCollector() {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const byIndex = new Map<unknown, (typeof calls)[number]>();
  let size = 0;
  return {
    calls: calls as readonly ToolCall[],
    /** @throws InvalidAnswer when there are too many, or they are too long */
    add(pieces: unknown): void {
      for (const { index, id, function: called } of Array.isArray(pieces) ? (pieces as readonly ToolCallPiece[]) : []) {
        const given = called?.arguments;
        const text = typeof given === 'string' ? given : given == null ? '' : JSON.stringify(given);
        size += text.length;
        if (calls.length > MAX_CALLS || size > MAX_ARGUMENTS) throw new InvalidAnswer('it calls too many tools, or with too much');
        const begun = index === undefined ? undefined : byIndex.get(index);
        // Some servers number all calls of an answer alike.
        if (begun && (typeof id !== 'string' || id === '' || id === begun.id)) {
          begun.arguments += text;
          continue;
        }
        const call = { id: asId(id), name: typeof called?.name === 'string' ? called.name.slice(0, 200) : '', arguments: text };
        byIndex.set(index, call);
        calls.push(call);
      }
    },
  };
}

const asId = (id: unknown): string => (typeof id === 'string' && id !== '' ? id.slice(0, 200) : `call_${crypto.randomUUID()}`);
