import { sumOf } from '../scale/process-metrics.ts';

/** Lines that a chatroom has taken and kept, by its page of metrics. */
export const linesKept = (page: string): number => sumOf(labelled(page, 'type="room.said"', 'outcome="done"'), 'maw_messages_taken_total');

/** Completions that a gateway has answered, by its page of metrics. */
export const completed = (page: string): number => sumOf(labelled(page, 'outcome="done"'), 'maw_completions_total');

const labelled = (page: string, ...labels: readonly string[]): string =>
  page
    .split('\n')
    .filter((line) => labels.every((label) => line.includes(label)))
    .join('\n');

/** What a process said when it was asked, in milliseconds since the epoch, how much it has done. */
export interface Count {
  readonly count: number;
  readonly asked: number;
}

/**
 * What was done between two looks: how much, and since when. It may have been done right after the first look; but when there is less than
 * before, another process has taken the place of the one that counted, and all it has done was done after that was gone.
 */
export function doneBetween(before: Count | undefined, now: Count): { readonly done: number; readonly since: number } {
  if (!before) return { done: 0, since: now.asked };
  return now.count < before.count ? { done: now.count, since: now.asked } : { done: now.count - before.count, since: before.asked };
}
