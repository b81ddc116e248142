import { DEFAULT_SPEECH_BURST, DEFAULT_SPEECHES_PER_SECOND } from './speech-rate.ts';

export interface ChatroomOptions {
  readonly concurrency: number;
  /** How long a message that arrives before its room waits for it, in milliseconds. */
  readonly aheadMs: number;
  /** The rate limit of a seat's speech, at each replica. */
  readonly speechesPerSecond: number;
  readonly burst: number;
}

export const defaultOptions: ChatroomOptions = {
  concurrency: 128,
  aheadMs: 3_000,
  speechesPerSecond: DEFAULT_SPEECHES_PER_SECOND,
  burst: DEFAULT_SPEECH_BURST,
};
