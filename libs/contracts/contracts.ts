import type { z } from 'zod';
import { agentContracts } from './messages/agents.ts';
import { contestContracts } from './messages/contest.ts';
import { llmContracts } from './messages/llm.ts';
import { poolContracts } from './messages/llm-servers.ts';
import { createRegistry } from './registry.ts';
import { roomContracts } from './messages/room.ts';
import { seatContracts } from './messages/seat.ts';
import { serviceContracts } from './messages/service.ts';
import { tableContracts } from './messages/table.ts';

/** Every message of the platform. */
export const contracts = createRegistry(
  ...tableContracts,
  ...seatContracts,
  ...roomContracts,
  ...llmContracts,
  ...poolContracts,
  ...contestContracts,
  ...agentContracts,
  ...serviceContracts,
);

export type Contracts = typeof contracts;
export type ContractName = Parameters<Contracts['get']>[0];
/** Any message, or the one of a name. */
export type Message<N extends ContractName = ContractName> = Extract<ReturnType<Contracts['read']>, { type: N }>;
export type Data<N extends ContractName> = Message<N>['data'];
/** The data of a message before its defaults are filled in. */
export type Input<N extends ContractName> = z.input<
  ReturnType<Contracts['get']> extends infer C ? (C extends { name: N; data: infer D } ? D : never) : never
>;
/** The data of a successful reply to `N`. */
export type ReplyData<N extends ContractName> = Extract<
  ReturnType<typeof contracts.readReply<N>>,
  { performative: 'agree' | 'inform' }
>['data'];
