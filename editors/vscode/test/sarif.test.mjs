// The output of `--format sarif` conforms to the schema of SARIF 2.1.0, for right rules and for every error and warning in `tests/broken`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Ajv from 'ajv-draft-04';
import formats from 'ajv-formats';
import { program, root, skip } from './program.mjs';

const require = createRequire(import.meta.url);
const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formats(ajv);
const validate = ajv.compile(schema);

for (const args of [['check', 'tests/broken'], ['lint', 'tests/broken'], ['test', 'tests/broken'], ['check', 'rules']]) {
  test(`the output of pinion ${args.join(' ')} --format sarif conforms to the schema`, { skip }, () => {
    const { stdout } = spawnSync(program, [...args, '--format', 'sarif'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
    const log = JSON.parse(stdout);
    assert.ok(validate(log), JSON.stringify(validate.errors?.slice(0, 3), null, 1));
    const [{ results, tool }] = log.runs;
    const isBroken = args[1] === 'tests/broken';
    assert.equal(results.length > 50, isBroken, `${results.length} results`);
    for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
  });
}
