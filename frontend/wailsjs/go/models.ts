export namespace agent {
	
	export interface Share {
	    kind: string;
	    tokens: number;
	}

}

export namespace backend {
	
	export interface DocumentPreview {
	    format: string;
	    instead?: string[];
	    preparing?: boolean;
	    failure?: exchange.Failure;
	    text?: exchange.Text;
	}
	export interface FilePreview {
	    path: string;
	    text: string;
	    encoding: string;
	    truncated: boolean;
	    binary: boolean;
	    size: number;
	    document?: DocumentPreview;
	}

}

export namespace desktop {
	
	export interface ServerGrant {
	    folder: string;
	    hosts: string[];
	    variables: string[];
	}
	export interface AddedServer {
	    id: string;
	    name: string;
	    hash: string;
	    offer: string;
	    scripts: boolean;
	    private: boolean;
	    values: Record<string, string>;
	    grant: ServerGrant;
	}
	export interface Answer {
	    runId: string;
	    callId: string;
	    decision: string;
	    arguments?: string;
	    paths?: string[];
	    withoutHunks?: Record<string, Array<string>>;
	    reason?: string;
	    stop?: boolean;
	    hash: string;
	}
	export interface Answered {
	    callId: string;
	}
	export interface AsideView {
	    id: string;
	    callId: string;
	    changes: message.PendingChange[];
	}
	export interface Attached {
	    id: string;
	    name: string;
	    mediaType: string;
	    size: number;
	    ref: string;
	}
	export interface Confinement {
	    level: string;
	    why: string;
	}
	export interface StepCost {
	    usage: message.Usage;
	    cost?: number;
	    durationMs: number;
	    estimated: boolean;
	}
	export interface ContextStep {
	    task: number;
	    step: number;
	    summary: boolean;
	    usage: message.Usage;
	    cost?: number;
	    durationMs: number;
	    estimated: boolean;
	}
	export interface Context {
	    window: number;
	    used: number;
	    cached: number;
	    estimated: boolean;
	    parts: agent.Share[];
	    steps: ContextStep[];
	    earlier: number;
	    total?: StepCost;
	}
	
	export interface Decided {
	    guardId: string;
	}
	export interface DraftChoice {
	    paths: string[];
	    withoutHunks?: Record<string, Array<string>>;
	}
	export interface MissingPath {
	    path: string;
	    why: string;
	}
	export interface PastFolder {
	    at: number;
	    missing: MissingPath[];
	    more: number;
	    ignored: number;
	    inDraft: number;
	}
	export interface DraftNote {
	    id: string;
	    began: number;
	    past?: PastFolder;
	}
	export interface DraftView {
	    id: string;
	    hash: string;
	    runs: boolean;
	    changes: message.PendingChange[];
	}
	export interface Dropped {
	    path: string;
	    local: string;
	    folder: boolean;
	}
	export interface Envelope {
	    seq: number;
	    runId: string;
	    sessionId: string;
	    ts: number;
	    type: string;
	    data: any;
	    ref?: string;
	}
	export interface Fault {
	    code: string;
	    message: string;
	    hint?: string;
	    reason?: string;
	}
	export interface Forked {
	    sessionId: string;
	    pictures: Attached[];
	}
	export interface Passage {
	    sessionId: string;
	    runId: string;
	    partId: string;
	    callId: string;
	    toolName: string;
	    role: string;
	    at: number;
	    before: string;
	    match: string;
	    after: string;
	}
	export interface Workspace {
	    path: string;
	    name: string;
	}
	export interface SessionEntry {
	    id: string;
	    title: string;
	    updatedAt: number;
	    mark: string;
	    draft: boolean;
	    processes: number;
	    pinned: boolean;
	    archived: boolean;
	    folder?: Workspace;
	}
	export interface Found {
	    titles: SessionEntry[];
	    passages: Passage[];
	    sessions: SessionEntry[];
	    more: boolean;
	}
	export interface ServerValue {
	    name: string;
	    given: boolean;
	}
	export interface FoundServer {
	    name: string;
	    kind: string;
	    runs: string;
	    variables: ServerValue[];
	    headers: ServerValue[];
	    hash: string;
	    fetches: boolean;
	    replaces: boolean;
	    nearby: string;
	    needs: string[];
	    notTaken: string[];
	    refused: string;
	}
	export interface FoundServers {
	    id: string;
	    servers: FoundServer[];
	}
	export interface GuardAnswer {
	    runId: string;
	    guardId: string;
	    decision: string;
	}
	export interface Header {
	    name: string;
	    value: string;
	}
	export interface KeptValue {
	    unsaved: string;
	}
	export interface KnownFile {
	    name: string;
	    path: string;
	}
	export interface KnownFiles {
	    files: KnownFile[];
	}
	export interface LearnedLesson {
	    name: string;
	    learnedAt: number;
	}
	export interface LocalServer {
	    provider: string;
	    title: string;
	    baseUrl: string;
	    models: string[];
	}
	export interface Memory {
	    text: string;
	    version: string;
	    path: string;
	    bytes: number;
	    promptBytes: number;
	}
	
	export interface Model {
	    provider: string;
	    title: string;
	    baseUrl: string;
	    model: string;
	    needsKey: boolean;
	    keySource: string;
	    effort: string;
	    window: number;
	    priced: boolean;
	    price: message.Price;
	    reasons: boolean;
	    url: string;
	    lessons: LearnedLesson[];
	}
	export interface ModelChoice {
	    provider: string;
	    baseUrl: string;
	    model: string;
	    key: string;
	    keep: string;
	    effort: string;
	}
	export interface ModelFacts {
	    window: number;
	    priced: boolean;
	    price: message.Price;
	}
	export interface Moved {
	    processId: string;
	}
	export interface MovedFolder {
	    from: string;
	    conversations: number;
	}
	export interface NameList {
	    names: names.Name[];
	    whole: boolean;
	}
	export interface None {
	
	}
	export interface OfferedModel {
	    model: string;
	    facts: ModelFacts;
	}
	export interface OfferedModels {
	    provider: string;
	    title: string;
	    baseUrl: string;
	    listed: boolean;
	    models: OfferedModel[];
	}
	export interface OwnProvider {
	    name: string;
	    title: string;
	    baseUrl: string;
	    keyEnv: string;
	    dialect: string;
	    headers: Header[];
	    body: string;
	    writtenCalls: boolean;
	    protocol: string;
	    family: string;
	    contextWindow: number;
	}
	
	
	export interface Provider {
	    name: string;
	    title: string;
	    aliases: string[];
	    baseUrl: string;
	    needsKey: boolean;
	    keyEnv: string;
	    local: boolean;
	    own: boolean;
	    keyPrefixes: string[];
	}
	export interface Queued {
	    promptId: string;
	    runId: string;
	}
	export interface ReviewSide {
	    mode?: string;
	    size?: number;
	    target?: string;
	}
	export interface ReviewRow {
	    id: string;
	    path: string;
	    from?: string;
	    op: string;
	    kind: string;
	    state: string;
	    lost?: string;
	    added: number;
	    removed: number;
	    calls: string[];
	    command?: boolean;
	    during?: boolean;
	    unit?: string;
	    before: ReviewSide;
	    after: ReviewSide;
	}
	export interface Review {
	    rows: ReviewRow[];
	    aside: AsideView[];
	}
	
	
	export interface ReviewText {
	    text: boolean;
	    diff: string;
	    hunks: boolean;
	    taken: string[];
	}
	export interface RunState {
	    runId: string;
	    ended: boolean;
	}
	export interface RunList {
	    runs: RunState[];
	    earlier: boolean;
	}
	
	export interface SavedModel {
	    provider: string;
	    title: string;
	    baseUrl: string;
	    model: string;
	    effort: string;
	}
	export interface ServerTool {
	    name: string;
	    title: string;
	    description: string;
	    cut: number;
	    readOnly: boolean;
	    text: string;
	}
	export interface Server {
	    name: string;
	    kind: string;
	    runs: string;
	    variables: string[];
	    headers: string[];
	    package: string;
	    private: boolean;
	    hash: string;
	    grant?: ServerGrant;
	    asksAtStart: boolean;
	    state: string;
	    reason: string;
	    level: string;
	    agreed: boolean;
	    toolsHash: string;
	    tools: ServerTool[];
	    difference?: mcp.Difference;
	    leftOut: mcp.LeftOut[];
	    log: string[];
	    on: boolean;
	}
	
	export interface ServerList {
	    servers: Server[];
	    path: string;
	}
	export interface ServerOffer {
	    hash: string;
	    packages: string[];
	    integrity: string;
	    registry: string;
	    otherHosts: string[];
	    count: number;
	    scripts: string[];
	    bytes: number;
	}
	export interface ServerSwitch {
	    name: string;
	    switch: string;
	    state: string;
	    on: boolean;
	}
	export interface ServerText {
	    json: string;
	    command: string;
	    address: string;
	    name: string;
	}
	
	
	
	export interface SessionList {
	    sessions: SessionEntry[];
	    more: boolean;
	    archived: number;
	}
	export interface Setting {
	    key: string;
	    kind: string;
	    choices: string[];
	    low: number;
	    high: number;
	    default: string;
	    value: string;
	    from: string;
	    variable: string;
	    restart: boolean;
	}
	export interface SettingsList {
	    settings: Setting[];
	    config: string;
	    data: string;
	    state: string;
	    file: string;
	    log: string;
	    fault: string;
	}
	export interface Space {
	    bytes: number;
	    limit: number;
	}
	export interface Started {
	    runId: string;
	    sessionId: string;
	}
	export interface Suggested {
	    kind: string;
	    all: number;
	    undecided: number;
	}
	export interface ToolGroup {
	    name: string;
	    tools: string[];
	    on: boolean;
	}
	export interface State {
	    version: string;
	    system: string;
	    language: string;
	    theme: string;
	    silent: string[];
	    layout: settings.Layout;
	    workspace?: Workspace;
	    recent: string[];
	    documents: string;
	    model?: Model;
	    favourites: SavedModel[];
	    recentModels: SavedModel[];
	    tour: boolean;
	    approve: string;
	    draft?: DraftNote;
	    readable: string[];
	    nativeDialogs: boolean;
	    dialogs: string;
	    limited: string;
	    gone: boolean;
	    moved?: MovedFolder;
	    confinement: Confinement;
	    noCopy?: message.NoCopy;
	    sessionId: string;
	    title: string;
	    pinned: boolean;
	    archived: boolean;
	    runs: RunState[];
	    earlier: boolean;
	    queue: message.Prompt[];
	    groups: ToolGroup[];
	    servers: ServerSwitch[];
	    suggested: Suggested[];
	    warnings: string[];
	}
	
	
	export interface Suggestion {
	    kind: string;
	    path: string;
	    sha256: string;
	    bytes: number;
	    cut: boolean;
	    canUse: boolean;
	    skill?: skill.Skill;
	    server?: suggestion.Offer;
	    decision: string;
	}
	export interface SuggestionList {
	    suggestions: Suggestion[];
	    more: boolean;
	    leftOut: skill.LeftOut[];
	}
	export interface SuggestionText {
	    kind: string;
	    path: string;
	    sha256: string;
	    bytes: number;
	    cut: boolean;
	    canUse: boolean;
	    skill?: skill.Skill;
	    server?: suggestion.Offer;
	    decision: string;
	    text: string;
	}
	export interface Task {
	    prompt: string;
	    sessionId: string;
	    pictures?: string[];
	    continue?: boolean;
	}
	export interface TestedModel {
	    url: string;
	    listed: boolean;
	    total: number;
	    known: boolean;
	    ms: number;
	    ref: string;
	    keyChecked: boolean;
	    tools: string;
	    toolsMs: number;
	    toolsFault?: Fault;
	}
	
	export interface UndoStep {
	    id: string;
	    path: string;
	    verdict: string;
	    lost?: string;
	    becomes: string;
	    during?: boolean;
	    unit?: string;
	    choices: string[];
	}
	export interface UndoPlan {
	    steps: UndoStep[];
	}
	
	export interface UndoTask {
	    runId: string;
	    callId?: string;
	    row?: string;
	    since?: boolean;
	    redo?: boolean;
	    choices?: Record<string, string>;
	}
	export interface Undone {
	    paths: number;
	    kept: number;
	}

}

export namespace doctor {
	
	export interface Finding {
	    name: string;
	    state: string;
	    detail: string;
	}

}

export namespace event {
	
	export interface AssistantDelta {
	    partId: string;
	    content: string;
	}
	export interface AssistantFinal {
	    partId: string;
	    content: string;
	    discard?: string[];
	}
	export interface Block {
	    type: string;
	    mediaType?: string;
	    name?: string;
	    path?: string;
	    uri?: string;
	    size: number;
	    text?: string;
	    data?: string;
	    sum?: string;
	    ref?: string;
	}
	export interface ChangeCounts {
	    paths: number;
	    deleted: number;
	    added: number;
	    removed: number;
	}
	export interface ChangesRequest {
	    setId: string;
	    callId: string;
	    counts: ChangeCounts;
	    held: number;
	    conflicts: number;
	    expiresAt?: number;
	}
	export interface ChangesResult {
	    setId: string;
	    callId: string;
	    decision: string;
	    paths?: string[];
	    by: string;
	}
	export interface ConfirmRequest {
	    kind: string;
	    questionId: string;
	    callId: string;
	    toolName: string;
	    arguments: Record<string, unknown>;
	    preview: message.Preview;
	    hash: string;
	    cause?: message.Cause;
	    reason?: string;
	    expiresAt: number;
	}
	export interface ConfirmResult {
	    kind: string;
	    callId: string;
	    decision: string;
	    arguments: Record<string, unknown>;
	    by: string;
	    reason?: string;
	}
	export interface ContextCompacted {
	    before: number;
	    after: number;
	    mode: string;
	}
	export interface Decision {
	    reason: string;
	    completed: boolean;
	}
	export interface DraftCounts {
	    paths: number;
	    deleted: number;
	}
	export interface DraftState {
	    draftId: string;
	    counts: DraftCounts;
	    conflicts: number;
	}
	export interface GuardRequest {
	    guardId: string;
	    kind: string;
	    data: message.GuardData;
	    detail: string;
	    expiresAt: number;
	}
	export interface GuardResult {
	    guardId: string;
	    decision: string;
	    by: string;
	}
	export interface GuardWarning {
	    kind: string;
	    data: message.GuardData;
	    detail: string;
	}
	export interface JournalRedone {
	    setId: string;
	    runId: string;
	    callId: string;
	    paths: message.Change[];
	}
	export interface JournalUndone {
	    setId: string;
	    runId: string;
	    callId: string;
	    paths: message.Change[];
	}
	export interface LLMRetry {
	    attempt: number;
	    maxAttempts: number;
	    delayMs: number;
	    code: string;
	    message: string;
	    data?: message.FailData;
	    discard: string[];
	}
	export interface LifecycleEnd {
	    reason: string;
	    content: string;
	    steps: number;
	    durationMs: number;
	    warnings?: message.Guard[];
	    warning?: string;
	}
	export interface LifecycleError {
	    reason: string;
	    code: string;
	    message: string;
	    data?: message.FailData;
	    partialContent?: string;
	    steps: number;
	    durationMs: number;
	}
	export interface LifecycleStart {
	    prompt: string;
	    blocks?: Block[];
	    model: string;
	    maxSteps: number;
	    continues?: string;
	    compacts?: boolean;
	    notices?: message.Notice[];
	}
	export interface ProcessesChanged {
	    sessionId: string;
	}
	export interface PromptChanged {
	    promptId: string;
	    text: string;
	    target: string;
	    blocks?: Block[];
	}
	export interface PromptJoined {
	    promptId: string;
	    text: string;
	    target: string;
	    blocks?: Block[];
	}
	export interface PromptQueued {
	    promptId: string;
	    text: string;
	    target: string;
	    blocks?: Block[];
	}
	export interface PromptRemoved {
	    promptId: string;
	    text: string;
	    target: string;
	    blocks?: Block[];
	}
	export interface ReasoningDelta {
	    partId: string;
	    content: string;
	}
	export interface RequestWeakened {
	    what: string;
	    asked: string;
	    sent: string;
	    window?: number;
	    server?: string;
	}
	export interface RunInterrupt {
	    message: string;
	}
	export interface SessionsChanged {
	
	}
	export interface StepCompleted {
	    step: number;
	    maxSteps: number;
	    elapsedSeconds: number;
	    toolCallCount: number;
	}
	export interface StepStarted {
	    step: number;
	    maxSteps: number;
	}
	export interface ToolCall {
	    callId: string;
	    toolName: string;
	    display?: message.Display;
	    arguments?: Record<string, unknown>;
	    rawArguments?: string;
	}
	export interface ToolProgress {
	    callId: string;
	    content: string;
	}
	export interface ToolResult {
	    callId: string;
	    success: boolean;
	    content: string;
	    blocks?: Block[];
	    errorCode?: string;
	    durationMs: number;
	    truncated: boolean;
	    changes: message.Change[];
	    data?: message.ResultData;
	    processId?: string;
	    level?: string;
	    notices?: message.Notice[];
	}
	export interface ToolRunning {
	    callId: string;
	}
	export interface UsageData {
	    call: message.Usage;
	    run: message.Usage;
	    estimated?: boolean;
	    window?: number;
	}
	export interface WindowChanged {
	
	}
	export interface WindowClosing {
	
	}
	export interface WindowReview {
	    callId: string;
	}
	export interface WorkspaceChanged {
	    paths: string[];
	    full: boolean;
	    gone: boolean;
	    limited?: string;
	}

}

export namespace exchange {
	
	export interface Failure {
	    reason: string;
	    detail?: string;
	    total?: number;
	}
	export interface Word {
	    text: string;
	    left: number;
	    top: number;
	    width: number;
	    height: number;
	}
	export interface Layout {
	    mediaType: string;
	    data: number[];
	    lines?: Word[][];
	}
	export interface Part {
	    first: number;
	    last: number;
	    label?: string;
	    text: string;
	    sheet?: string;
	    hidden?: boolean;
	    layout?: Layout;
	}
	export interface Shown {
	    unit?: number;
	    mediaType: string;
	    data: number[];
	}
	export interface Size {
	    width: number;
	    height: number;
	}
	export interface Text {
	    unit?: string;
	    parts?: Part[];
	    total?: number;
	    next?: number;
	    cut?: boolean;
	    scanned?: number;
	    pictures?: Shown[];
	    sizes?: Size[];
	    notes?: string[];
	}

}

export namespace mcp {
	
	export interface ToolChange {
	    name: string;
	    old?: string;
	    new?: string;
	}
	export interface Difference {
	    added?: ToolChange[];
	    removed?: ToolChange[];
	    changed?: ToolChange[];
	}
	export interface LeftOut {
	    name: string;
	    reason: string;
	}

}

export namespace message {
	
	export interface Block {
	    type: string;
	    text?: string;
	    mediaType?: string;
	    data?: number[];
	    path?: string;
	    uri?: string;
	    name?: string;
	    size?: number;
	    sum?: string;
	    pruned?: boolean;
	}
	export interface ToolError {
	    code: string;
	    message: string;
	}
	export interface CauseData {
	    path?: string;
	    error?: ToolError;
	}
	export interface Cause {
	    code: string;
	    data: CauseData;
	}
	
	export interface Change {
	    path: string;
	    kind: string;
	    added: number;
	    removed: number;
	    op?: string;
	    from?: string;
	    to?: string;
	    setId?: string;
	}
	export interface FormField {
	    at: string;
	    fixed?: boolean;
	}
	export interface Subject {
	    arguments: string[];
	    kind: string;
	    to?: string;
	}
	export interface Display {
	    title: string;
	    verb?: string;
	    subject: Subject;
	    icon?: string;
	    form?: FormField[];
	}
	export interface Exceeded {
	    resource: string;
	    used: number;
	    most: number;
	}
	export interface GuardData {
	    toolName?: string;
	    calls?: number;
	    times?: number;
	    rounds?: number;
	    used?: number;
	    most?: number;
	    unit?: string;
	    maxSteps?: number;
	    bytes?: number;
	}
	export interface FailData {
	    cause: string;
	    limitMs?: number;
	    waitMs?: number;
	    httpStatus?: number;
	    said?: string;
	    guard?: string;
	    guardData?: GuardData;
	    by?: string;
	}
	
	export interface Guard {
	    kind: string;
	    data: GuardData;
	}
	
	export interface Held {
	    code: string;
	    autorun?: string;
	}
	export interface NoCopy {
	    code: string;
	    path?: string;
	    detail?: string;
	}
	export interface NoticeData {
	    path?: string;
	    paths?: string[];
	    autorun?: string;
	    count?: number;
	    gap?: string;
	    toolset?: string;
	    error?: string;
	    processId?: string;
	}
	export interface Notice {
	    code: string;
	    data: NoticeData;
	}
	
	export interface PendingChange {
	    path: string;
	    kind: string;
	    op?: string;
	    from?: string;
	    to?: string;
	    diff?: string;
	    added?: number;
	    removed?: number;
	    hunks?: boolean;
	    size?: number;
	    target?: string;
	    mode?: string;
	    unit?: string;
	    held?: Held;
	}
	export interface Undo {
	    quality: string;
	    lost?: string[];
	    more?: number;
	    frees?: boolean;
	}
	export interface ServerCall {
	    server: string;
	    tool: string;
	    title?: string;
	    arguments: string;
	    runs: string;
	    elsewhere?: boolean;
	    folder: string;
	    hosts?: string[];
	    variables?: string[];
	    grant: string;
	    readOnly?: boolean;
	}
	export interface Preview {
	    effect: string;
	    path?: string;
	    memory?: boolean;
	    diff?: string;
	    added?: number;
	    removed?: number;
	    command?: string;
	    folder?: string;
	    level?: string;
	    confinement?: string;
	    addresses?: string;
	    network?: boolean;
	    url?: string;
	    autorun?: string;
	    changes?: PendingChange[];
	    more?: number;
	    output?: string;
	    keys?: number;
	    setId?: string;
	    copied?: boolean;
	    noCopy?: NoCopy;
	    serverCall?: ServerCall;
	    draft?: boolean;
	    undo?: Undo;
	    edited?: boolean;
	}
	export interface Price {
	    prompt: number;
	    completion: number;
	    cached: number;
	}
	export interface Prompt {
	    promptId: string;
	    text: string;
	    target: string;
	    blocks?: Block[];
	}
	export interface ResultData {
	    exitCode?: number;
	    signal?: string;
	    exceeded?: Exceeded;
	    network?: boolean;
	    processId?: string;
	    running?: boolean;
	    killed?: boolean;
	    covered?: string[];
	    changes?: string;
	    httpStatus?: number;
	    contentType?: string;
	    url?: string;
	    bytes?: number;
	    lines?: number;
	    entries?: number;
	    matches?: number;
	}
	
	
	
	
	export interface Usage {
	    prompt: number;
	    completion: number;
	    reasoning: number;
	    cached: number;
	}

}

export namespace names {
	
	export interface Name {
	    path: string;
	    folder?: boolean;
	}

}

export namespace session {
	
	export interface Cancelled {
	    runId: string;
	    cancelled: boolean;
	    message: string;
	}
	export interface Interrupted {
	    runId: string;
	    interrupted: boolean;
	    message: string;
	}

}

export namespace settings {
	
	export interface Layout {
	    zoom?: number;
	    codeSize?: number;
	    wrap?: boolean;
	    tint?: boolean;
	    sidebar?: string;
	    desk?: string;
	    deskWidth?: number;
	    tab?: string;
	    file?: string;
	    folder?: string;
	}

}

export namespace skill {
	
	export interface File {
	    path: string;
	    bytes: number;
	    executable?: boolean;
	    link?: string;
	    secret?: boolean;
	}
	export interface LeftOut {
	    path: string;
	    source: string;
	    reason: string;
	    limit?: number;
	    detail?: string;
	}
	export interface Warning {
	    code: string;
	    text?: string;
	    count?: number;
	}
	export interface Skill {
	    name: string;
	    description: string;
	    license?: string;
	    compatibility?: string;
	    allowedTools?: string;
	    folder: string;
	    source: string;
	    files: File[];
	    sha256: string;
	    warnings?: Warning[];
	}

}

export namespace suggestion {
	
	export interface Offer {
	    file: string;
	    name: string;
	    runs: string;
	    needs: string[];
	    notTaken: string[];
	    refused: string;
	}

}

export namespace workspace {
	
	export interface TreeEntry {
	    name: string;
	    path: string;
	    folder: boolean;
	    link: boolean;
	    secret: boolean;
	    size: number;
	}
	export interface Listing {
	    path: string;
	    entries: TreeEntry[];
	    more: boolean;
	}

}

