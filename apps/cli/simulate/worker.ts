import { serveBlocks } from '@maw/lab/contests/arena/serve-blocks.ts';
import type { Job } from './job.ts';
import { type Simulated, simulator } from './simulator.ts';

serveBlocks<Simulated>((job) => simulator(job as Job));
