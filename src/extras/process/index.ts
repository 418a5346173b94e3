export { processTools } from './process-tool.js';
