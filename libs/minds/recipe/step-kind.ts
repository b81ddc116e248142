import { z } from 'zod';
import type { Mind, Moment, Step, CompletionRequest } from '../mind.ts';
import type { RoleTexts } from '../prompts/holes.ts';
import type { Layout } from '../prompts/layout.ts';
import type { HoleValue } from '../prompts/prompt-file.ts';

/** The name of a model; empty: that of the seat. */
export const modelName = z
  .string()
  .transform((name) => name || undefined)
  .optional();

/** A prompt file of a recipe, checked. */
export interface RecipePrompt {
  /**
   * The messages for a decision.
   * @param own the holes that the step fills itself
   */
  messages(mind: Mind, moment: Moment, own?: { readonly [hole: string]: HoleValue }): CompletionRequest['messages'];
}

/** What a step of a recipe file is made from, besides its own parameters. */
export interface StepSetup {
  /** The name in thoughts, metrics and seeds. */
  readonly name: string;
  readonly texts: RoleTexts;
  /** The order of its prompts; those made by `prompt` have it. */
  readonly layout: Layout;
  /**
   * Reads a prompt file: beside the recipe's file, else among the recipes of the product.
   * @param own the holes that the step fills itself
   * @throws Error naming file and line, and every hole that nothing fills
   */
  prompt(path: string, own?: readonly string[]): RecipePrompt;
}

/** A kind of step for recipe files: its name, its typed parameters, and how a step is made from them. */
export interface StepKind<S extends z.ZodType = z.ZodType> {
  /** The word after `step:`. */
  readonly step: string;
  /** One line for lists and editors. */
  readonly description: string;
  /** A strict object; each field with its default and a description with unit and source. */
  readonly parameters: S;
  /** @throws Error in words for the author of the recipe */
  create(parameters: z.output<S>, setup: StepSetup): Omit<Step, 'name' | 'on'>;
}

/** Declares a kind of step with the types of its parameters. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry forgets the types of parameters, which `parameters` checks
export const stepKind = <S extends z.ZodType>(kind: StepKind<S>): StepKind<any> => kind;
