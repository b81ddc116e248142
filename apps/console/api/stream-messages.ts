import type { Following, Frame, Link } from './follow.ts';
import { ApiProblem, problemOf } from './problem.ts';

/** What the tab that reads a stream passes on to the others. */
export type Message =
  /** `readAt`: when it came, by the clock of this machine. */
  | { readonly kind: 'frame'; readonly frame: Frame; readonly readAt: number }
  | { readonly kind: 'link'; readonly link: Link }
  /** The server refuses the stream. */
  | { readonly kind: 'problem'; readonly status: number; readonly reason: string; readonly detail: string };

/** What a stream brings. */
export type EmitFrames = Pick<Following, 'onFrame' | 'onLink'>;

/** Follows a stream: what it brings, and that the server refuses it, become messages. */
export async function emitStream(emit: (message: Message) => void, follow: (hear: EmitFrames) => Promise<void>): Promise<void> {
  const following = follow({
    onFrame: (frame) => emit({ kind: 'frame', frame, readAt: Date.now() }),
    onLink: (link) => emit({ kind: 'link', link }),
  });
  await following.catch((error: unknown) => {
    const { status, reason, detail } = problemOf(error);
    emit({ kind: 'problem', status, reason, detail });
  });
}

/** What a refusal says. */
export type ProblemFields = Pick<ApiProblem, 'status' | 'reason' | 'detail'>;

/** A refusal as it was before it was passed on. */
export const problemIn = ({ status, reason, detail }: ProblemFields): ApiProblem => new ApiProblem(status, reason, detail);

/** The name of what tabs with the same token share. It tells tokens apart without showing them (FNV-1a). */
export function sharedName(what: string, token = ''): string {
  let hash = 0x811c9dc5;
  for (const character of token) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return `maw ${what} ${hash.toString(36)}`;
}
