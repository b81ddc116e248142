import { aiwolfConfig } from '@maw/aiwolf-service/config.ts';
import { contestConfig } from '@maw/contest/config.ts';
import { chatroomConfig } from '@maw/chatroom/config.ts';
import { gamemasterConfig } from '@maw/gamemaster/config.ts';
import { gatewayFields } from '@maw/llm-gateway/config.ts';
import { playerConfig } from '@maw/player/config.ts';
import { envPage } from './env-page.ts';
import { webConfig } from '@maw/web/config.ts';
import { prepareFields } from '@maw/cli/setup/prepare-config.ts';

/** What each program reads from its environment. */
export const programs = {
  'gamemaster': gamemasterConfig,
  'chatroom': chatroomConfig,
  'player': playerConfig,
  'llm-gateway': gatewayFields,
  'web': webConfig,
  'aiwolf': aiwolfConfig,
  'contest': contestConfig,
};

/** The page of every variable of every program, in Markdown. */
export const configurationPage = (): string => `# Configuration

Written from the \`config.ts\` of each program; do not edit. Everything is configured by environment variables, and by
nothing else but the [file of model servers](operations.md#model-servers) that one of them names.

- An empty variable is not set.
- \`NAME_FILE\` names a file that holds the value of \`NAME\`, such as a mounted secret.
- All mistakes are reported together, and the program does not start.
- Times are in milliseconds unless the name says otherwise.

${Object.entries(programs)
  .map(([name, schema]) => envPage(name, schema))
  .join('\n')}
## maw

The command line reads these; \`maw up\` hands its whole environment on to the services.

| Variable | Default | Meaning |
| --- | --- | --- |
| \`MAW_AT\` | none | Address of a running system, as \`--at\` |
| \`MAW_TOKEN\` | none | Bearer token for it, as \`--token\`; or as a file with _FILE |
| \`MAW_GATEWAY_AT\` | none | HTTP address of a gateway, as \`--at\` of \`maw gateway\` |
| \`MAW_GATEWAY_KEY\` | none | An administrator’s key for it, as \`--key\`; \`MAW_GATEWAY_KEY_FILE\` names a file with it |
| \`GATEWAY_KEYS\`, \`DOOR_PORT\` | none | The keys and the port of the gateway that \`maw up\` starts; without them a key in the data folder, and a free port |
| \`OLLAMA_HOST\` | \`127.0.0.1:11434\` | The Ollama server, in any form that Ollama accepts; \`OLLAMA_URLS\` and \`GATEWAY_CONFIG\` take precedence; without one, seats play without a model |
| \`OPENAI_API_KEY\`, \`ANTHROPIC_API_KEY\`, \`GEMINI_API_KEY\` | none | Keys for paid models, which are asked only when \`--model\` names one |
| \`AMQP_URL\` | none | The broker of \`maw up\` and of the tests; default: one that is found or started; or as a file with _FILE |
| \`DATABASE_URL\` | none | The database of \`maw up\` and of the tests; default: one that is found or started; or as a file with _FILE |
| \`RESTORED_URL\` | none | The database that \`maw restore-test\` checks when it gets no dump; or as a file with _FILE |
| \`OTEL_EXPORTER_OTLP_ENDPOINT\` | none | Where \`maw play\` sends its traces |
| \`NO_COLOR\` | none | Any value: no colours |
| \`MAW_DEMO\` | \`1\` | 0: \`maw demo\` opens no table |
| \`MAW_RABBITMQ_IMAGE\` | \`rabbitmq:4.2.9-management\` | The broker, when it comes from Docker |
| \`MAW_POSTGRES_IMAGE\` | \`pgvector/pgvector:0.8.6-pg17\` | The database, when it comes from Docker |

${envPage('maw prepare', prepareFields)}
## ollama-sim

The simulator of Ollama has a table of its own: [ollama-sim](../apps/ollama-sim/README.md).
`;
