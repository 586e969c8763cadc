// Empty does nothing. How long it takes is the unit of what a machine needs to start
// programs, which differs by far more between machines than what a program does.
package main

func main() {}
