// The program under test: the variable PINION, otherwise the latest build.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../../..');
const built = ['release', 'debug'].map(kind => path.join(root, 'target', kind, 'pinion')).filter(existsSync);
export const program = process.env.PINION ?? built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
export const skip = program ? false : 'no program: run `cargo build`, or set PINION';
