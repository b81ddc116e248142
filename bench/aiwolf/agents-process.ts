/** A process of instant agents: it is sent an `AgentsTask`, and sends the `Exchanges`. */
import { type AgentsTask, playInstantly } from './instant-agents.ts';

process.on('message', (task) => void playInstantly(task as AgentsTask).then((exchanges) => process.send!(exchanges)));
process.on('disconnect', () => process.exit());
