import { z } from 'zod';
import { type ArmedFault, FAULTS, isFaultName } from '../faults.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { readBody, type Route } from '../http/exchange.ts';
import { sendJson } from '../http/reply.ts';

const armedFault = z.strictObject({
  name: z.string().refine(isFaultName, { error: `must be one of ${Object.keys(FAULTS).join(', ')}` }),
  times: z.int().positive().optional(),
  probability: z.number().min(0).max(1).optional(),
  ms: z.number().optional(),
  path: z.string().startsWith('/').optional(),
});

/** `GET /sim/faults` */
export const listFaults: Route = { run: (exchange) => sendJson(exchange, 200, { known: FAULTS, armed: exchange.server.faults.armed() }) };

/** `POST /sim/faults` arms a fault: for the next matching request unless `times` or `probability` is set. */
export const armFault: Route = {
  run: async (exchange) => {
    const fault = readBody(exchange, armedFault);
    sendJson(exchange, 200, { armed: fault });
    if (fault.name === 'connection-refused' || fault.name === 'sigterm')
      await new Promise((resolve) => exchange.response.once('finish', resolve));
    await arm(exchange.server, fault);
  },
};

/** `DELETE /sim/faults` */
export const clearFaults: Route = {
  run: (exchange) => {
    exchange.server.faults.disarm();
    sendJson(exchange, 200, { armed: exchange.server.faults.armed() });
  },
};
/** The default of `connection-refused`. */
export const REFUSE_MS = 1000;

/** Arms a fault. Faults of the listener are injected at once unless they have a probability or a path. */
export const arm = async (server: SimulatedServer, fault: ArmedFault): Promise<void> => {
  const now = fault.probability === undefined && fault.path === undefined;
  if (now && fault.name === 'connection-refused') return server.refuseConnections(fault.ms ?? REFUSE_MS);
  if (now && fault.name === 'sigterm') return server.close();
  server.faults.arm(fault);
};
