import { serveBlocks } from '../arena/serve-blocks.ts';
import type { Job } from './job.ts';
import { type Simulated, simulator } from './simulator.ts';

export default serveBlocks<Simulated>((job) => simulator(job as Job));
