export type { Gateway } from './gateway-port.js';
export { gatewayTool } from './gateway-tool.js';
export { type ToolkitGatewayOptions, toolkitGateway } from './toolkit-gateway.js';
