import type { Command } from 'commander';
import { type CommandContext, jsonOption } from '../arguments.ts';

/** `maw migrate`, `definitions`, `roles` and `prepare`: they prepare an installation where each service is a user of its own. */
export function setupCommands(program: Command, { config, finish }: CommandContext): void {
  program
    .command('migrate')
    .description('migrate DATABASE_URL as the owner of its tables, and grant the services their privileges')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./install.ts')).migrateTables(options, config)));

  program
    .command('definitions')
    .description('print definitions for RabbitMQ to import: users, permissions, exchanges and queues')
    .option('--vhost <name>', 'the virtual host', 'maw')
    .option('--passwords <folder>', 'a folder with a password file for each user; without it users have no password')
    .action(async (options) => finish((await import('./install.ts')).printDefinitions(options)));

  program
    .command('roles')
    .description('create the roles of the services in DATABASE_URL with their passwords; needs a user that may create roles')
    .requiredOption('--passwords <folder>', 'a folder with a password file for each role')
    .action(async (options) => finish((await import('./install.ts')).makeRoles(options, config)));

  program
    .command('prepare')
    .description('write the addresses, passwords and definitions for the containers of docker-compose.yml')
    .argument('<folder>', 'where the volumes of the containers are mounted')
    .action(async (folder: string) => finish((await import('./prepare.ts')).prepare(folder, config)));
}
