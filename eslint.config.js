import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Only rules that need types and find bugs with promises; Biome checks all other rules.
export default defineConfig({
  files: ['{src,test,examples,bench,.ci}/**/*.ts', '*.config.ts'],
  ignores: ['examples/project/**'],
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
  linterOptions: { noInlineConfig: true },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
});
