import type { Scenario } from '../scenarios.ts';

/** What gamemasters depend on besides each other. One part of it fails when the run has begun, and a schedule lets it recover. */
export interface Environment {
  /** How many players consume their queue. */
  players(): number;
  /** Whether tapes can be appended to. */
  hasSpace(): boolean;
  /** When tapes could be appended to again; undefined while they cannot, or always could. */
  readonly spaceAt: number | undefined;
  /** Resolves once tapes can be appended to. */
  space(): Promise<void>;
  /** The trouble of the scenario begins. */
  begin(): void;
  /** How the trouble ends; undefined when there is none. */
  recovery(): Recovery | undefined;
  key(): string;
}

export interface Recovery {
  readonly label: string;
  take(): void;
}

const LABELS = { players: 'a player comes', disk: 'the disk has space' } as const;

export function environmentOf({ trouble }: Scenario, now: () => number): Environment {
  let isTroubled = false;
  let recoveredAt: number | undefined;
  const recovered = Promise.withResolvers<void>();
  const isFull = (): boolean => trouble === 'disk' && isTroubled;
  const take = (): void => {
    isTroubled = false;
    recoveredAt = now();
    recovered.resolve();
  };
  return {
    players: () => (trouble === 'players' && !isTroubled ? 1 : 0),
    hasSpace: () => !isFull(),
    get spaceAt() {
      return recoveredAt;
    },
    space: () => (isFull() ? recovered.promise : Promise.resolve()),
    begin: () => void (isTroubled = trouble !== undefined),
    recovery: () => (isTroubled ? { label: LABELS[trouble!], take } : undefined),
    key: () => String(isTroubled),
  };
}
