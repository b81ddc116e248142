import { type Command, Option } from 'commander';
import { type CommandContext, dataOption, jsonOption, numberWithin, wholeNumber, withServer, withSystem } from '../arguments.ts';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `maw doctor` and `maw dead`. */
function diagnosticCommands(program: Command, { config, finish, signal }: CommandContext): void {
  withServer(program.command('doctor'))
    .description('check what is reachable, and say how to fix what is not; with --model, ask a model five questions of real games')
    .option('--model <name>', 'the model that is asked; sim: the simulator')
    .option('--mind <recipe>', 'with --model: the recipe that asks, with parameters (default: "algorithm-1")')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) =>
      finish(
        options.model === undefined
          ? (await import('./doctor.ts')).doctor(config, options)
          : (await import('./doctor-model.ts')).doctorModel(options, config, signal),
      ),
    );

  program
    .command('dead')
    .description('list the dead letters of a queue, send them again, or drop them')
    .argument('<queue>', 'gamemaster, chatroom, player or llm-gateway')
    .option('--resend <id>', 'send this one again; repeatable', collect, [])
    .option('--all', 'send all of them again', false)
    .option('--drop <id>', 'remove this one for good; repeatable; the audit log tells', collect, [])
    .option('--drop-unreadable', 'remove all with the reason unreadable for good', false)
    .option('--limit <n>', 'the largest number to show', wholeNumber(1, 1000), 100)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (queue: string, options) => finish((await import('./dead-letters.ts')).dead(queue, options, config)));
}

/** `maw up`. */
function upCommand(program: Command, { config, signal, finish }: CommandContext): void {
  withServer(program.command('up'))
    .description('run every service as its own process, on a RabbitMQ and a PostgreSQL that are configured, found or started')
    .option('--port <n>', 'the port of the web service; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--players <n>', 'the number of replicas of the player service', wholeNumber(1, 64), 1)
    .option('--model <name>', 'the model that plays; sim: the simulator')
    .option('--install', 'install RabbitMQ and PostgreSQL with apt-get where they are missing, without asking', false)
    .addOption(dataOption)
    .addHelpText(
      'after',
      '\nServers are taken from AMQP_URL and DATABASE_URL, else started in Docker, else from the programs on this machine. Before it installs\nDebian packages it asks; without a terminal it installs only with --install.\n\nWith AIWOLF_SERVERS, the terms of servers in JSON, outside AIWolf agents can play (docs/operations.md).',
    )
    .action(async (options) => finish((await import('../up/up.ts')).up(options, config, signal)));
}

/** `maw gateway ...`. */
function gatewayCommands(program: Command, { config, finish }: CommandContext): void {
  const gateway = program.command('gateway').description('administer the gateway in front of the model servers');
  const command = (name: string, description: string): Command =>
    gateway
      .command(name)
      .description(description)
      .addOption(new Option('--json', 'print JSON for programs').default(false))
      .addOption(new Option('--data <folder>', 'the folder with the connection file of a running system').default('.maw'))
      .addOption(new Option('--at <url>', 'the HTTP address of a gateway (also MAW_GATEWAY_AT)'))
      .addOption(new Option('--key <key>', 'an administrator’s key for it (also MAW_GATEWAY_KEY)'));

  command('status', 'show servers, slots, waiting and limited requests, and how many more games fit').action(async (options) =>
    finish((await import('./gateway.ts')).gatewayStatus(options, config)),
  );

  command('servers', 'list, add, drain or remove model servers')
    .argument('[act]', 'list, add, drain or remove', 'list')
    .argument('[server]', 'the address to add, or the name of a listed server')
    .option('--slots <n>', 'with add: how many completions it gets at once', wholeNumber(1, 1024))
    .addOption(new Option('--kind <kind>', 'with add: its protocol').choices(['ollama', 'openai']))
    .option('--key-file <file>', 'with add: the file with its key, in KEY_FOLDER on the gateway’s machine')
    .action(async (act: string, server: string | undefined, options) =>
      finish((await import('./gateway.ts')).gatewayServers(act, server, options, config)),
    );

  command('keys', 'list, add or revoke keys of the gateway')
    .argument('[act]', 'list, add or revoke', 'list')
    .argument('[what]', 'the agent of a new key, or the id of a listed one')
    .argument('[name=value...]', 'with add: its own limits: agentRpm=30 tokensPerDay=100000')
    .option('--tenant <name>', 'with add: whose daily budget counts, too')
    .option('--models <names>', 'with add: the models it may ask, separated by commas')
    .option('--expires <time>', 'with add: a day or a time (UTC) such as 2027-01-31T12:00:00Z')
    .addOption(new Option('--urgency <class>', 'with add: the most urgent that its requests may be').choices(['talk', 'background']))
    .option('--admin', 'with add: it may administer the gateway')
    .action(async (act: string, what: string | undefined, limits: string[], options) =>
      finish((await import('./gateway.ts')).gatewayKeys(act, what, limits, options, config)),
    );

  command('limits', 'print the limits, or change some: agentRpm=30 gameTokens=0')
    .argument('[name=value...]', '0 is unlimited')
    .action(async (changes: string[], options) => finish((await import('./gateway.ts')).gatewayLimits(changes, options, config)));

  command('use', 'sum what models were used for: by key and day without the hour that runs, or by seat of a table that is over')
    .option('--from <day>', 'the first day (UTC), such as 2026-11-21 (default: six days before the last)')
    .option('--to <day>', 'the last day (default: today)')
    .addOption(new Option('--table <id>', 'of this table instead').conflicts(['from', 'to']))
    .option('--by <columns>', 'some of day,key,model,recipe; with --table of seat,model,recipe (default: all)')
    .addOption(new Option('--csv', 'print CSV').default(false).conflicts('json'))
    .action(async (options) => finish((await import('./gateway.ts')).gatewayUse(options, config)));
}

const hours = numberWithin(0.001, 720, 'hours');
const seatNumber = wholeNumber(0, 99);

/** `maw tokens ...` and `maw audit`. */
function tokenCommands(program: Command, { config, finish }: CommandContext): void {
  const tokens = program.command('tokens').description('make, revoke and list the tokens of a running system');
  const command = (parent: Command, name: string, description: string): Command =>
    withSystem(parent.command(name).description(description).addOption(jsonOption));

  command(tokens, 'make', 'make a token and print it')
    .addOption(
      new Option('--role <role>', 'what the token allows').choices(['admin', 'seat', 'spectator', 'join', 'agent']).makeOptionMandatory(),
    )
    .option('--table <id>', 'the table it is for')
    .option('--seat <n>', 'the seat it is for', seatNumber)
    .addOption(new Option('--view <view>', 'the eye of a spectator').choices(['audience', 'narrator']))
    .option('--name <name>', 'who gets it')
    .option('--hours <h>', 'how long it is valid', hours)
    .option('--link', 'print the address of a short link in place of the token')
    .option('--shell', 'print a line for a shell that sets MAW_AT and MAW_TOKEN', false)
    .action(async (options) => finish((await import('./tokens.ts')).makeToken(options, config)));

  command(tokens, 'revoke', 'revoke a token, or all tokens of a table or seat')
    .argument('[id]', 'the id of the token')
    .option('--table <id>', 'all tokens of this table')
    .option('--seat <n>', 'with --table: only those of this seat', seatNumber)
    .action(async (id: string | undefined, options) => finish((await import('./tokens.ts')).revokeTokens(id, options, config)));

  command(tokens, 'list', 'list valid tokens, without their secrets')
    .option('--table <id>', 'only those of this table')
    .action(async (options) => finish((await import('./tokens.ts')).listTokens(options, config)));

  command(program, 'audit', 'print what administrators have done, latest first')
    .option('--limit <n>', 'the largest number of entries', wholeNumber(1, 1000), 100)
    .option('--before <n>', 'only entries before this number', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(async (options) => finish((await import('./tokens.ts')).printAudit(options, config)));
}

/** `maw migrate`, `definitions`, `roles` and `prepare`: they prepare an installation where each service is a user of its own. */
function setupCommands(program: Command, { config, finish }: CommandContext): void {
  program
    .command('migrate')
    .description('migrate DATABASE_URL as the owner of its tables, and grant the services their privileges')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('../setup/install.ts')).migrateTables(options, config)));

  program
    .command('definitions')
    .description('print definitions for RabbitMQ to import: users, permissions, exchanges and queues')
    .option('--vhost <name>', 'the virtual host', 'maw')
    .option('--passwords <folder>', 'a folder with a password file for each user; without it users have no password')
    .action(async (options) => finish((await import('../setup/install.ts')).printDefinitions(options)));

  program
    .command('roles')
    .description('create the roles of the services in DATABASE_URL with their passwords; needs a user that may create roles')
    .requiredOption('--passwords <folder>', 'a folder with a password file for each role')
    .action(async (options) => finish((await import('../setup/install.ts')).makeRoles(options, config)));

  program
    .command('prepare')
    .description('write the addresses, passwords and definitions for the containers of docker-compose.yml')
    .argument('<folder>', 'where the volumes of the containers are mounted')
    .action(async (folder: string) => finish((await import('../setup/prepare.ts')).prepare(folder, config)));
}

/** The commands for whoever runs a system. */
export const operateCommands = [diagnosticCommands, upCommand, gatewayCommands, tokenCommands, setupCommands] as const;
