import type { Command } from 'commander';
import { amount, at, data, json, token } from '../arguments.ts';
import type { CliConfig } from '../config.ts';

/** `maw migrate`, `roles`, `definitions`, `prepare`: who prepares the servers of an installation where each service is a user of its own; and `demo`. */
export function setupCommands(
  maw: Command,
  config: CliConfig,
  signal: AbortSignal,
  finish: (running: Promise<number>) => Promise<void>,
): void {
  maw
    .command('migrate')
    .description('bring the tables of DATABASE_URL up to date as their owner, and say what the roles of the services may do')
    .addOption(json)
    .action(async (options) => finish((await import('./migrate.ts')).migrateTables(options, config)));

  maw
    .command('definitions')
    .description('print what a RabbitMQ is to import: users, permissions, exchanges and queues')
    .option('--vhost <name>', 'the virtual host', 'maw')
    .option('--passwords <folder>', 'a file for each user, by its name, with the password; without it nobody has one')
    .action(async (options) => finish((await import('./definitions.ts')).printDefinitions(options)));

  maw
    .command('roles')
    .description('make the roles of the services in DATABASE_URL, as a user that may, and give them their passwords')
    .requiredOption('--passwords <folder>', 'a file for each role, by its name, with the password')
    .action(async (options) => finish((await import('./roles.ts')).makeRoles(options, config)));

  maw
    .command('prepare')
    .description('write the addresses, passwords and definitions that the containers of docker-compose.yml read')
    .argument('<folder>', 'where the volumes of the containers are mounted')
    .action(async (folder: string) => finish((await import('./prepare.ts')).prepare(folder, config)));

  maw
    .command('demo')
    .description('open a table as soon as a running system can play, and show it; the one that is being played, when there is one')
    .option('--rules <name>', 'the rule set', 'maw')
    .option('--seconds <s>', 'how long each phase lasts at most', amount, 30)
    .addOption(data)
    .addOption(at)
    .addOption(token)
    .action(async (options) => finish((await import('../commands/demo.ts')).demo(options, config, signal)));
}
