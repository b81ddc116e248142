import { z } from 'zod';

/** A packet that cannot be read; the message says what is wrong, where, and how the packet begins. */
export class PacketError extends Error {}

/** What servers of both divisions want one line or message of text for. */
export const ASKS = ['NAME', 'TALK', 'WHISPER', 'VOTE', 'DIVINE', 'GUARD', 'ATTACK'] as const;
/** What they tell of the course of a game. */
export const TELLS = ['INITIALIZE', 'DAILY_INITIALIZE', 'DAILY_FINISH', 'FINISH'] as const;

/** Whether a request wants an answer. */
export const wantsAnswer = (request: string): boolean => [...ASKS, 'ROLE'].includes(request);

/** @throws PacketError when it is no JSON, or lacks what an agent needs */
export function readPacket<T extends z.ZodType>(schema: T, text: string): z.infer<T> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PacketError(`it is not JSON: ${beginning(text)}`);
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
  throw new PacketError(`${path.length ? `at ${path.join('.')}: ` : ''}${message}, in ${beginning(text)}`);
}

const beginning = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text || 'an empty packet');

const orAbsent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
/** A value that servers leave out or send as null. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform(orAbsent);
/** A list that servers leave out or send as null when it is empty. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((all) => all ?? []);

export const status = z.enum(['ALIVE', 'DEAD']);
export const species = z.enum(['HUMAN', 'WEREWOLF']);
