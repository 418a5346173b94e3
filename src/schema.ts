export {
  type CompiledSchema,
  compileDiagnostics,
  compileSchema,
  type SchemaDiagnostic,
} from './adapters/compile-schema.js';
export type { SchemaDialect } from './adapters/schema-dialects.js';
