import { readOptions } from '../kernel/options.ts';
import { aiwolf } from './aiwolf.ts';

/** Whose agents can play with these options: those that speak the AIWolf protocol, or those that speak a natural language. @throws Refusal bad-option */
export const divisionOf = (options: { readonly [name: string]: unknown }): 'protocol' | 'natural' =>
  String(readOptions(aiwolf.options, options)['language']) === 'protocol' ? 'protocol' : 'natural';
