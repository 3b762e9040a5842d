// Finds the program under test: the environment variable PINION, or else the latest build.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../../..');
const builds = ['release', 'debug'].map(profile => path.join(root, 'target', profile, 'pinion')).filter(existsSync);
const [latestBuild] = builds.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
export const program = process.env.PINION ?? latestBuild;
/** The reason why tests are skipped; false if there is a program. */
export const skip = program ? false : 'no program: run `cargo build`, or set PINION';
