// Adds up the vitest JSON reports in a folder, tells why tests failed that passed when they were run again, and prints
// one closing line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.';
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const sum = (field) => reports.reduce((total, report) => total + report[field], 0);
const failedFiles = reports
  .flatMap(({ testResults }) => testResults)
  .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
for (const { fullName, status, failureMessages } of reports
  .flatMap(({ testResults }) => testResults)
  .flatMap(({ assertionResults }) => assertionResults))
  if (status === 'passed' && failureMessages.length > 0)
    console.log(`passed when it was run again: ${fullName}\n${failureMessages.join('\n')}`);
const skipped = sum('numPendingTests') + sum('numTodoTests');

console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests') + failedFiles.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
