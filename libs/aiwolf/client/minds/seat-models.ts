import type { Tools } from '@maw/minds/mind.ts';

/** What a mind asks models with. */
export type ModelTools = Pick<Tools, 'complete' | 'embed'>;

/** Who asks. */
export interface ModelUser {
  /** The game. */
  readonly table: string;
  readonly seat: number;
  readonly recipe: string;
  /** How many calls a decision of the recipe makes. */
  readonly calls: number | undefined;
  /** The longest that one call may take. */
  readonly callMs: number;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

/** The models of all seats of one command. */
export interface SeatModels {
  toolsFor(user: ModelUser): ModelTools;
  close(): Promise<void>;
}
