import type { Command } from 'commander';
import { dataOption, wholeNumber, withServer } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** `maw up`. */
export function upCommand(program: Command, { config, signal, finish }: CommandContext): void {
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
    .action(async (options) => finish((await import('./up.ts')).up(options, config, signal)));
}
