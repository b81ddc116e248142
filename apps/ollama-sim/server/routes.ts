import { HttpError } from '../errors.ts';
import { chat } from '../api/chat.ts';
import { embed, embeddings } from '../api/embed.ts';
import { generate } from '../api/generate.ts';
import { ps, show, tags, version } from '../api/models.ts';
import { openaiChat } from '../api/openai-chat.ts';
import { openaiEmbeddings, openaiError, openaiModel, openaiModels } from '../api/openai.ts';
import { pull } from '../api/pull.ts';
import { sendText } from '../http/reply.ts';
import type { Route, Routes } from '../http/route.ts';
import { armFault, clearFaults, listFaults, resetAll, simState } from '../api/sim.ts';

const root: Route = { run: (exchange) => sendText(exchange, 200, 'Ollama is running', 'text/plain; charset=utf-8') };

/** 501 for endpoints of Ollama that the simulator lacks. */
const absent = (error?: Route['error']): Route => ({
  ...(error === undefined ? {} : { error }),
  run: ({ path }) => {
    throw new HttpError(501, `the simulator does not have ${path}`);
  },
});

const ROUTES: Routes = {
  '/': { GET: root, HEAD: root },
  '/api/version': { GET: version, HEAD: version },
  '/api/tags': { GET: tags, HEAD: tags },
  '/api/ps': { GET: ps },
  '/api/show': { POST: show },
  '/api/chat': { POST: chat },
  '/api/generate': { POST: generate },
  '/api/embed': { POST: embed },
  '/api/embeddings': { POST: embeddings },
  '/api/pull': { POST: pull },
  '/api/push': { POST: absent() },
  '/api/create': { POST: absent() },
  '/api/copy': { POST: absent() },
  '/api/delete': { DELETE: absent() },
  '/api/me': { POST: absent() },
  '/v1/chat/completions': { POST: openaiChat },
  '/v1/embeddings': { POST: openaiEmbeddings },
  '/v1/models': { GET: openaiModels },
  '/v1/completions': { POST: absent(openaiError) },
  '/v1/responses': { POST: absent(openaiError) },
  '/v1/messages': { POST: absent() },
  '/v1/audio/transcriptions': { POST: absent(openaiError) },
  '/sim/state': { GET: simState },
  '/sim/faults': { GET: listFaults, POST: armFault, DELETE: clearFaults },
  '/sim/reset': { POST: resetAll },
};

/** The routes of a path, by method; undefined for an unknown path. */
export const routesOf = (path: string): Routes[string] | undefined => {
  if (/^\/v1\/models\/./.test(path)) return { GET: openaiModel };
  return Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
};
