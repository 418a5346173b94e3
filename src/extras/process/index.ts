export { processTools } from './tool.js';
