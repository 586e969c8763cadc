package sandbox

// supervisorProgram is the program that confines commands; empty where none is built in.
var supervisorProgram = embedded
